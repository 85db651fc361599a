// `npm run bench -- --request-log`: the cost of the request log per payment in the live shape. One gateway takes
// payments in alternating slices with the log on and off, because two processes would differ by more than the log
// costs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { processorRatio, processorRows } from './processor-ratio.ts'
import { printTable } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import { payments, recycleLog, type Session } from './session.ts'
import { liveShape, startLeanIssuer } from './shape.ts'

const CONNECTIONS = 256
const [ON, OFF] = ['log on', 'log off']
/** The log writes twice a second. Its remaining rows must not be counted in the next slice. */
const UNTIL_WRITTEN_MS = 1_000

/**
 * Autovacuum would affect only some of the slices: it runs for half a minute, and adds half to PostgreSQL's processor
 * time in that time.
 */
async function stopAutovacuum({ books }: GatewayUnderTest): Promise<void> {
  await books.db.query({ text: 'alter system set autovacuum = off' })
  await books.db.query({ text: 'select pg_reload_conf()' })
}

export type RequestLogSummary = {
  /** Processor time per payment with the log ÷ without it, gateway and PostgreSQL together. */
  readonly requestLogRatio: number | null
}

export async function measureRequestLog(session: Session, options: Options): Promise<RequestLogSummary> {
  const live = liveShape(await startLeanIssuer(session))
  const shape = { ...live, program: 'bench/gateway-with-log-switch.ts' }
  const gateway = await session.start({ name: 'request_log', shape })
  await stopAutovacuum(gateway)
  await recycleLog(gateway)
  let isOn = true
  const contestant = (name: string, wanted: boolean): Contestant => ({
    name,
    async slice() {
      if (isOn !== wanted) for (const node of gateway.nodes) node.signal('SIGUSR2')
      isOn = wanted
      await gateway.books.db.query({ text: 'vacuum analyze' })
      await sleep(UNTIL_WRITTEN_MS)
      return payments(session, gateway, {
        connections: CONNECTIONS,
        seconds: options.sliceSeconds,
        drain: true,
      })
    },
  })
  const contestants = [contestant(ON, true), contestant(OFF, false)]
  await warmUp(contestants)
  const rounds = await alternate(contestants, options.rounds)
  printTable('Processor time a payment', processorRows(rounds, [ON, OFF]))
  return { requestLogRatio: processorRatio(rounds, [ON, OFF]) }
}
