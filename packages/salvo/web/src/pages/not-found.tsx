import { Link } from 'wouter';

export function NotFound() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link href="/">All runs</Link>
      </p>
    </>
  );
}
