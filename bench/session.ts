// The programs that a run has started, and its notes. All programs are closed at the end, also after an error.
import { freePort } from '../test/harness/gateway-process.ts'
import { type Child, leanFlags, programPath, startChild } from './child.ts'
import { drainOutbox } from './drain-outbox.ts'
import { type GatewayOptions, type GatewayUnderTest, startGateway, targetsOf } from './gateway-under-test.ts'
import type { Job, Measured, Target } from './load.ts'
import { type LoadProcess, startLoadProcess } from './load-process.ts'
import { openPlace, type Place } from './place.ts'
import { processorUsed } from './processor.ts'
import type { Slice } from './rounds.ts'

export type Session = {
  readonly place: Place
  readonly load: LoadProcess
  readonly notifyUrl: string
  readonly receiverPid: number
  readonly problems: string[]
  readonly notes: string[]
  /** The number of failed requests, errors in the books, and deadlocks. */
  errors: number
  readonly gateways: GatewayUnderTest[]
  start(options: GatewayOptions): Promise<GatewayUnderTest>
  /** Audits the gateway's books, and stops the gateway. */
  finish(gateway: GatewayUnderTest): Promise<void>
  startProgram(
    name: string,
    path: string,
    env?: Readonly<Record<string, string>>,
    flags?: readonly string[],
  ): Promise<Child & { port: number }>
  /** Stops the child when the session ends. */
  closeLater(child: { stop(): Promise<void> }): void
  measure(job: Job): Promise<Measured>
  close(): Promise<void>
}

const MOST_PROBLEMS = 20

export async function openSession(): Promise<Session> {
  const place = await openPlace()
  const load = startLoadProcess()
  const children: { stop(): Promise<void> }[] = []
  const gateways: GatewayUnderTest[] = []
  const startProgram: Session['startProgram'] = async (name, path, env = {}, flags = []) => {
    const port = await freePort()
    const args = [...flags, programPath(path)]
    const child = await startChild({ name, args, env: { ...env, PORT: String(port) } })
    children.push(child)
    return { ...child, port }
  }
  const receiver = await startProgram('the receiver of notifications', './receiver.ts', {}, leanFlags)
  const session: Session = {
    place,
    load,
    notifyUrl: `http://127.0.0.1:${receiver.port}/notify`,
    receiverPid: receiver.pid,
    problems: [],
    notes: [],
    errors: 0,
    gateways,
    async start(options) {
      const gateway = await startGateway(place, options)
      gateways.push(gateway)
      return gateway
    },
    async finish(gateway) {
      await auditOne(session, gateway)
      gateways.splice(gateways.indexOf(gateway), 1)
      await gateway.stop()
    },
    startProgram,
    closeLater: (child) => void children.push(child),
    async measure(job) {
      const measured = await load.run(job)
      session.errors += measured.failures
      note(session, measured.samples)
      return measured
    },
    async close() {
      load.stop()
      await Promise.all([...gateways, ...children].map((one) => one.stop()))
      await place.remove()
    },
  }
  return session
}

export function note(session: Session, problems: readonly string[]): void {
  session.problems.push(...problems.slice(0, MOST_PROBLEMS - session.problems.length))
}

/**
 * Lets PostgreSQL reuse log files, as on a server that has run for a while, so that no payment waits for a new file.
 */
export async function recycleLog({ books }: GatewayUnderTest): Promise<void> {
  await books.db.query({ text: 'checkpoint' })
}

export type PaymentLoad = {
  readonly connections: number
  readonly seconds: number
  readonly pace?: number
  /** True to wait until the notifications are delivered, so that their processor time counts in their own slice. */
  readonly drain?: boolean
}

let slices = 0
/** The requests to prepare for each second of a slice: as many as the fastest slice so far has sent. */
let fastest = 4_000

/** Makes new payments for a while, and records what the books must contain. */
export async function payments(
  session: Session,
  gateway: GatewayUnderTest,
  load: PaymentLoad,
): Promise<Slice> {
  const prefix = newPrefix()
  const { connections, seconds, pace } = load
  const pids = {
    gateway: gateway.nodes.map(({ pid }) => pid),
    issuer: gateway.issuerPid,
    receiver: load.drain && gateway.notifyUrl === undefined ? session.receiverPid : undefined,
  }
  const before = await processorUsed(gateway.books.db, pids)
  const measured = await session.measure({
    ...paymentJob(session, gateway, targetsOf(gateway), prefix),
    connections,
    seconds,
    ...(pace !== undefined && { pace }),
    ahead: Math.ceil((pace ?? fastest) * seconds * 1.1),
  })
  fastest = Math.max(fastest, measured.rate)
  if (load.drain) await drainOutbox(gateway.books.db)
  const after = await processorUsed(gateway.books.db, pids)
  const answered = measured.answered[0] ?? 0
  gateway.books.expect(prefix, answered)
  if (before === undefined || after === undefined || answered === 0) return measured
  return {
    ...measured,
    gatewayUs: (after.gateway - before.gateway) / answered,
    postgresUs: (after.postgres - before.postgres) / answered,
    ...(pids.issuer !== undefined && { issuerUs: (after.issuer - before.issuer) / answered }),
    ...(pids.receiver !== undefined && { receiverUs: (after.receiver - before.receiver) / answered }),
    loadUs: measured.usedUs / answered,
  }
}

/** Each prefix ends with a dash, so that no prefix is the beginning of another. */
export function newPrefix(): string {
  return `B${++slices}-`
}

export function paymentJob(
  session: Session,
  { shops, notifyUrl = session.notifyUrl }: GatewayUnderTest,
  targets: readonly Target[],
  prefix: string,
): Pick<Job, 'targets' | 'source' | 'expect'> {
  return { targets, source: { shops, notifyUrl, prefix }, expect: ['"payCode":0'] }
}

/** Checks that every answered payment is booked once; any difference is an error. */
export async function audit(session: Session): Promise<void> {
  for (const gateway of session.gateways) await auditOne(session, gateway)
}

async function auditOne(session: Session, gateway: GatewayUnderTest): Promise<void> {
  const wrong = await gateway.books.audit()
  session.errors += wrong.length
  note(session, wrong)
}
