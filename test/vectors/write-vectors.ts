// `npm run vectors`: writes docs/vectors.json anew, with the keys that it has.
import { writeFileSync } from 'node:fs'
import { makeVectors } from './make-vectors.ts'
import { readVectors, vectorsPath, written } from './vectors-file.ts'

writeFileSync(vectorsPath, written(await makeVectors(readVectors().keys)))
