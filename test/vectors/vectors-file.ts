// docs/vectors.json as it is stored. Its keys are made once; everything else follows from them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Vectors } from './make-vectors.ts'

export const vectorsPath = fileURLToPath(new URL('../../docs/vectors.json', import.meta.url))

export function readVectors(): Vectors {
  return JSON.parse(readFileSync(vectorsPath, 'utf8'))
}

export function written(vectors: Vectors): string {
  return `${JSON.stringify(vectors, undefined, 2)}\n`
}
