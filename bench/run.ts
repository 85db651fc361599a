// `npm run bench [-- --quick | --nodes N | --against FOLDER | --fast-paths | --audit | --search | --request-log |
// --overload]`: docs/performance.md says what is measured and how.
import { runAgainst } from './against.ts'
import { runAll } from './all.ts'
import { measureAudit } from './audit.ts'
import { measureFastPaths } from './fast-paths.ts'
import { runNodes } from './nodes.ts'
import { readOptions } from './options.ts'
import { measureOverload } from './overload/measure.ts'
import { printSummary, printTable } from './report.ts'
import { measureRequestLog } from './request-log.ts'
import { measureSearch } from './search.ts'
import { audit, openSession } from './session.ts'

const options = readOptions(process.argv.slice(2))
const session = await openSession()
try {
  const summary = await measure()
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

function measure(): Promise<object> {
  if (options.against !== undefined) return runAgainst(session, options, options.against)
  if (options.audit) return measureAudit(session, options)
  if (options.search) return measureSearch(session, options)
  if (options.requestLog) return measureRequestLog(session, options)
  if (options.overload) return measureOverload(session, options)
  if (options.fastPaths) return measureFastPaths(session, options)
  return options.nodes > 1 ? runNodes(session, options) : runAll(session, options)
}
