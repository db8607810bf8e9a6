/** Packages of this repository import each other's sources, not what was built of them. */
export const PACKAGES_AS_SOURCES = { ssr: { resolve: { conditions: ['salvo-source', 'node'] } } };
