// The tools of the desk. Each is called as (arguments, { state }) and changes the state in place. What it throws is an error that
// the agent sees. Time and new ids come from the state, so that the same calls always lead to the same state.

interface Flight {
  from: string;
  to: string;
  date: string;
  departs: string;
  status: 'available' | 'delayed' | 'landed';
  seats: number;
  price: number;
}

type Payment = { kind: 'card' } | { kind: 'gift_card' | 'certificate'; balance: number };

interface Reservation {
  user: string;
  flight: string;
  cabin: 'basic_economy' | 'economy' | 'business';
  booked: string;
  insurance: boolean;
  passengers: string[];
  bags: number;
  status: 'active' | 'cancelled';
  paid: { method: string; amount: number }[];
}

interface Airline {
  today: string;
  next_reservation: number;
  users: Record<string, { name: string; membership: 'regular' | 'silver' | 'gold'; payment: Record<string, Payment> }>;
  flights: Record<string, Flight>;
  reservations: Record<string, Reservation>;
}

interface Desk {
  state: Airline;
}

const BAG_FEE = 50;

export function get_user({ user }: { user: string }, { state }: Desk) {
  return found(state.users, user, 'user');
}
describe(get_user, 'The name, the membership and the payment methods of a customer.', { user: 'string' });

export function get_reservation({ id }: { id: string }, { state }: Desk) {
  return found(state.reservations, id, 'reservation');
}
describe(get_reservation, 'A reservation with its flight, passengers, bags and payments.', { id: 'string' });

export function search_flights({ from, to, date }: { from: string; to: string; date: string }, { state }: Desk) {
  return Object.entries(state.flights)
    .filter(([, flight]) => flight.from === from && flight.to === to && flight.date === date)
    .map(([number, flight]) => ({ number, ...flight }));
}
describe(search_flights, 'All flights of a day, with free seats and the price of each.', {
  from: 'string',
  to: 'string',
  date: 'string',
});

export function book_reservation(
  { user, flight, passengers, method }: { user: string; flight: string; passengers: string[]; method: string },
  { state }: Desk,
) {
  const booked = seatsOn(state, flight, passengers.length);
  const amount = booked.price * passengers.length;
  pay(state, { user, method, amount });
  booked.seats -= passengers.length;
  const id = `R-${state.next_reservation}`;
  state.next_reservation += 1;
  state.reservations[id] = {
    ...{ user, flight, cabin: 'economy', booked: state.today, insurance: false, passengers, bags: 0 },
    ...{ status: 'active', paid: [{ method, amount }] },
  };
  return { id, ...state.reservations[id] };
}
describe(book_reservation, 'Books seats in economy and pays for them.', {
  user: 'string',
  flight: 'string',
  passengers: 'strings',
  method: 'string',
});

export function cancel_reservation({ id }: { id: string }, { state }: Desk) {
  const reservation = active(state, id);
  const flight = found(state.flights, reservation.flight, 'flight');
  if (flight.status === 'landed') throw new Error(`Flight ${reservation.flight} has landed.`);
  flight.seats += reservation.passengers.length;
  reservation.status = 'cancelled';
  reservation.paid.push(...reservation.paid.map(({ method, amount }) => ({ method, amount: -amount })));
  return reservation;
}
describe(cancel_reservation, 'Cancels a reservation and pays everything back.', { id: 'string' });

export function change_flight({ id, flight, method }: { id: string; flight: string; method: string }, { state }: Desk) {
  const reservation = active(state, id);
  const before = found(state.flights, reservation.flight, 'flight');
  const next = seatsOn(state, flight, reservation.passengers.length);
  if (before.from !== next.from || before.to !== next.to) throw new Error('The new flight goes somewhere else.');
  const amount = (next.price - before.price) * reservation.passengers.length;
  pay(state, { user: reservation.user, method, amount });
  before.seats += reservation.passengers.length;
  next.seats -= reservation.passengers.length;
  reservation.flight = flight;
  if (amount !== 0) reservation.paid.push({ method, amount });
  return reservation;
}
describe(
  change_flight,
  'Moves a reservation to another flight of the same route. The difference is charged or paid back.',
  {
    id: 'string',
    flight: 'string',
    method: 'string',
  },
);

export function add_bags({ id, bags, method }: { id: string; bags: number; method: string }, { state }: Desk) {
  const reservation = active(state, id);
  if (bags <= 0) throw new Error('Bags can be added, and not removed.');
  const { membership } = found(state.users, reservation.user, 'user');
  const free = reservation.passengers.length * (membership === 'regular' ? 1 : 2);
  const charged = Math.max(0, reservation.bags + bags - free) - Math.max(0, reservation.bags - free);
  pay(state, { user: reservation.user, method, amount: charged * BAG_FEE });
  reservation.bags += bags;
  if (charged > 0) reservation.paid.push({ method, amount: charged * BAG_FEE });
  return reservation;
}
describe(add_bags, `Adds bags. One that is not free costs $${BAG_FEE}.`, {
  id: 'string',
  bags: 'integer',
  method: 'string',
});

export function send_certificate({ user, amount }: { user: string; amount: number }, { state }: Desk) {
  const { payment } = found(state.users, user, 'user');
  if (amount <= 0 || amount > 500) throw new Error('A certificate is worth $1 to $500.');
  const id = `certificate-${Object.keys(payment).length + 1}`;
  payment[id] = { kind: 'certificate', balance: amount };
  return { id, amount };
}
describe(send_certificate, 'Gives a customer a certificate.', { user: 'string', amount: 'number' });

function found<T>(all: Record<string, T>, id: string, what: string): T {
  const one = Object.hasOwn(all, id) ? all[id] : undefined;
  if (one === undefined) throw new Error(`There is no ${what} ${id}.`);
  return one;
}

function active(state: Airline, id: string): Reservation {
  const reservation = found(state.reservations, id, 'reservation');
  if (reservation.status === 'cancelled') throw new Error(`Reservation ${id} is cancelled.`);
  return reservation;
}

function seatsOn(state: Airline, number: string, seats: number): Flight {
  const flight = found(state.flights, number, 'flight');
  if (flight.status === 'landed') throw new Error(`Flight ${number} has landed.`);
  if (flight.seats < seats) throw new Error(`Flight ${number} has ${flight.seats} free seats.`);
  return flight;
}

function pay(state: Airline, { user, method, amount }: { user: string; method: string; amount: number }): void {
  const payment = found(found(state.users, user, 'user').payment, method, 'payment method');
  if (payment.kind === 'card') return;
  if (payment.balance < amount) throw new Error(`${method} has only $${payment.balance}.`);
  payment.balance -= amount;
}

type Type = 'string' | 'number' | 'integer' | 'strings';

/** What the model sees. Salvo takes it from the function if the scenario does not say it. */
function describe(tool: object, description: string, fields: Record<string, Type>): void {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      name,
      type === 'strings' ? { type: 'array', items: { type: 'string' } } : { type },
    ]),
  );
  const parameters = { type: 'object', properties, required: Object.keys(fields), additionalProperties: false };
  Object.assign(tool, { description, parameters });
}
