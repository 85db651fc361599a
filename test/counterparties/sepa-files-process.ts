// A process that does the background work of a channel over files, and kills itself at a chosen step: before the n-th
// write to its records, or after it. The process prints the alarms for operators.
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/platform/base/clock.ts'
import { openDb } from '../../src/platform/postgres/db.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import { sepaFiles } from '../../src/rails/protocols/sepa-files/sepa-files.ts'
import { sepaSettings, sepaTools } from './sepa-files.ts'

const [url = '', folder = '', when = '', nth = ''] = process.argv.slice(2)
const ROUNDS = 3

const db = openDb({ connection: { connectionString: url }, maxConnections: 2, pipeline: false })
const tools = sepaTools(db, systemClock, (what) => void writeSync(1, `${what}\n`))
let writes = 0

function dieAt(step: string): void {
  if (step === when && writes === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

function mortal(store: ChannelStore): ChannelStore {
  return {
    ...store,
    async write(changes, ask) {
      writes += 1
      dieAt('before')
      const changed = await store.write(changes, ask)
      dieAt('after')
      return changed
    },
  }
}

const storeOf = (channel: string) => mortal(tools.storeOf(channel))
const { watcher } = sepaFiles(sepaSettings(folder), { ...tools, storeOf })
for (let round = 0; round < ROUNDS; round++) await watcher?.work(AbortSignal.timeout(60_000))
await db.close()
