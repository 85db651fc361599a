// `npm run fuzz -- [--minutes M] [--seed N] [--target NAME] [--replay FILE]`: docs/testing.md says what is tried, and
// how.
import { openCoverage } from './coverage.ts'
import { inspectSelf } from './inspector.ts'
import { readOptions } from './options.ts'

const options = readOptions(process.argv.slice(2))
const inspector = inspectSelf()
// The coverage begins before code of src is loaded, because code that is compiled earlier has no counters.
const own = await openCoverage(inspector)
const { runFuzz } = await import('./run-fuzz.ts')
process.exitCode = (await runFuzz(options, own)) ? 0 : 1
inspector.close()
