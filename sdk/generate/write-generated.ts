// `npm run sdk`: writes the SDK's types from the tables of the merchant interface.
import { writeFileSync } from 'node:fs'
import { interfaceSource } from './interface-source.ts'

writeFileSync(new URL('../src/generated.ts', import.meta.url), interfaceSource())
