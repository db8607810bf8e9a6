import { dependencyFile } from 'salvo/kit/text';

// A module of its own, loaded when the first Terraform file is parsed: in dist/ it holds 400 kB.

/** The WebAssembly of web-tree-sitter. It must be of the same version as its JavaScript. */
export function runtime(): Uint8Array {
  return dependencyFile('web-tree-sitter/web-tree-sitter.wasm');
}

/** The grammar of Terraform, compiled to WebAssembly. */
export function grammar(): Uint8Array {
  return dependencyFile('@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm');
}
