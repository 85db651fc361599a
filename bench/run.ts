// `npm run bench [-- --quick | --nodes N | --fast-paths]`: see docs/performance.md for what is measured, and how.
import { runAll } from './all.ts'
import { measureFastPaths } from './fast-paths.ts'
import { runNodes } from './nodes.ts'
import { readOptions } from './options.ts'
import { printSummary, printTable } from './report.ts'
import { audit, openSession } from './session.ts'

const options = readOptions(process.argv.slice(2))
const session = await openSession()
try {
  const run = options.fastPaths ? measureFastPaths : options.nodes > 1 ? runNodes : runAll
  const summary = await run(session, options)
  await audit(session)
  printTable(
    'Notes',
    session.notes.map((text) => [text, '']),
  )
  printTable(
    'What went wrong',
    session.problems.map((text) => [text, '']),
  )
  printSummary({ ...summary, errors: session.errors })
  if (session.errors > 0) process.exitCode = 1
} finally {
  await session.close()
}
