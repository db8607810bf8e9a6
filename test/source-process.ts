/** For a process of Node that runs sources: the packages of this repository import each other's sources there, too. */
export const AS_SOURCES = ['--conditions=salvo-source'];
