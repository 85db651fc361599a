// `npm run sdk`: writes sdk/src/generated.ts from the tables of the merchant interface.
import { writeFileSync } from 'node:fs'
import { interfaceSource } from './interface-source.ts'

writeFileSync(new URL('../src/generated.ts', import.meta.url), interfaceSource())
