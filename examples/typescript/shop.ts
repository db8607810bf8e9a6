/** The shop that the agent works for. A real test would start a database here. */
export interface Shop {
  /** Euros by order. */
  paid: Map<string, number>;
  refunds: { order: string; amount: number }[];
}

export function openShop(): Shop {
  return {
    paid: new Map([
      ['A-1', 49.9],
      ['A-2', 12],
    ]),
    refunds: [],
  };
}
