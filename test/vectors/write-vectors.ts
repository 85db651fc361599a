// `npm run vectors`: rewrites docs/vectors.json with the keys that the file already has.
import { writeFileSync } from 'node:fs'
import { makeVectors } from './make-vectors.ts'
import { readVectors, vectorsPath, written } from './vectors-file.ts'

writeFileSync(vectorsPath, written(await makeVectors(readVectors().keys)))
