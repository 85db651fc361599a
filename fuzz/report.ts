// The page of figures at the end of a run.
import { printTable, type Row } from '../bench/report.ts'
import type { Totals } from './coverage.ts'
import { percent, type Report } from './fuzz.ts'

/** Prints the report. Returns true if nothing was found. */
export function printReport({ lanes, finds, seconds, gateway, own, before, after }: Report): boolean {
  const inputs = lanes.reduce((sum, { counts }) => sum + counts.inputs, 0)
  printTable(
    'Inputs by target',
    lanes.map(({ target, counts }): Row => {
      const { accepted, kept, slow } = counts
      const more = `${accepted} accepted, ${kept} kept, ${counts.finds} finds`
      return [target.name, String(counts.inputs), slow === 0 ? more : `${more}, ${slow} slow once`]
    }),
  )
  printTable('The run', [
    ['inputs', String(inputs), `${Math.round(inputs / seconds)}/s for ${Math.round(seconds)} s`],
    ['coverage of src in the gateway', ...coverageOf(gateway)],
    ['coverage of src in the fuzzer', ...coverageOf(own)],
    ['heap of the gateway', `${Math.round(after.heapMb)} MB`, `${Math.round(before.heapMb)} MB before`],
    [
      'memory of the gateway',
      `${Math.round(after.residentMb)} MB`,
      `${Math.round(before.residentMb)} MB before`,
    ],
    ['open descriptors', String(after.descriptors), `${before.descriptors} before`],
    ['finds', String(finds.length), finds.length === 0 ? 'nothing was found' : 'see above'],
  ])
  return finds.length === 0
}

function coverageOf({ functions, allFunctions, characters, allCharacters }: Totals): [string, string] {
  return [
    percent(characters, allCharacters),
    `of its code; ${percent(functions, allFunctions)} of its functions (${functions} of ${allFunctions})`,
  ]
}
