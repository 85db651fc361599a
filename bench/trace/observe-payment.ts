// The second thread of the trace. It sends payments to the gateway in the main thread and watches that thread with V8's
// inspector. First, precise coverage finds the functions that ran for each of a few payments. Then, for one more
// payment, a breakpoint at the entry of each of these functions finds the order of their first calls.
import { type Debugger, type Profiler, Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection, utf8 } from '../connection.ts'
import { type PaymentSource, paymentMaker } from '../shop.ts'

export type ToObserve = { readonly port: number; readonly source: PaymentSource }

export type Observed = {
  /** Files of the checkout, in the order in which the payment enters them. */
  readonly files: readonly string[]
  /** The number of calls to functions of each file. */
  readonly calls: ReadonlyMap<string, number>
}

const WARM_UP = 300
/** A function that a timer runs is in some of the coverages, but hardly in all of them. */
const COVERED = 5

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = new URL('../../src/', import.meta.url).href
const { port, source }: ToObserve = workerData

const scriptSources = new Map<string, Promise<Debugger.GetScriptSourceReturnType>>()
const session = new Session()
session.connectToMainThread()
const pay = await openShop()
for (let at = 0; at < WARM_UP; at++) await pay()
const functions = await functionsOfOnePayment()
const files = await filesInOrder(functions)
// The main thread ends the observed gateway once it has the message. The session is disconnected before that.
session.disconnect()
pay.end()
parentPort?.postMessage({ files, calls: callsByFile(functions) } satisfies Observed)

/** Sends one payment at a time, over one connection. */
async function openShop() {
  const make = paymentMaker(source, '/payment')
  let replied: (body: string) => void = () => {}
  const connection = await openConnection(port, {
    replied: ({ body }) => replied(utf8(body)),
    broke: (why) => replied(why),
  })
  let count = 0
  async function pay(): Promise<void> {
    const reply = new Promise<string>((resolve) => {
      replied = resolve
    })
    connection.send(make(count++))
    const body = await reply
    if (!body.includes('"payCode":0')) throw new Error(`a payment failed: ${body}`)
  }
  return Object.assign(pay, { end: connection.end })
}

type RunFunction = {
  readonly url: string
  readonly scriptId: string
  readonly start: number
  readonly end: number
  readonly times: number
}

function callsByFile(functions: readonly RunFunction[]): Map<string, number> {
  const calls = new Map<string, number>()
  for (const { url, times } of functions) calls.set(fileOf(url), (calls.get(fileOf(url)) ?? 0) + times)
  return calls
}

/** The functions that ran for every covered payment. */
async function functionsOfOnePayment(): Promise<RunFunction[]> {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await pay()
  await session.post('Profiler.takePreciseCoverage')
  const seen: RunFunction[] = []
  for (let at = 0; at < COVERED; at++) {
    await pay()
    // Taking the coverage sets all counts to zero, so the result has only the functions of this payment.
    const { result } = await session.post('Profiler.takePreciseCoverage')
    seen.push(...result.flatMap(functionsRun))
  }
  await session.post('Profiler.stopPreciseCoverage')
  const byPlace = Map.groupBy(seen, ({ scriptId, start, end }) => `${scriptId} ${start} ${end}`)
  return [...byPlace.values()].filter((runs) => runs.length === COVERED).flatMap((runs) => runs.slice(-1))
}

function functionsRun({ url, scriptId, functions }: Profiler.ScriptCoverage): RunFunction[] {
  if (!url.startsWith(sources)) return []
  return functions.flatMap(({ ranges: [range] }) =>
    range === undefined || range.count === 0
      ? []
      : [{ url, scriptId, start: range.startOffset, end: range.endOffset, times: range.count }],
  )
}

/** Returns the files of these functions, in the order in which a payment first enters them. */
async function filesInOrder(functions: readonly RunFunction[]): Promise<string[]> {
  const files = new Set<string>()
  await session.post('Debugger.enable')
  await session.post('Debugger.setBreakpointsActive', { active: false })
  const fileAt = new Map<string, string>()
  for (const one of functions) {
    const breakpoint = await breakAtEntry(one)
    if (breakpoint !== undefined) fileAt.set(breakpoint, fileOf(one.url))
  }
  // A breakpoint is removed after its first hit: later calls run at full speed, and few timers fire in between.
  const commands: Promise<void>[] = []
  session.on('Debugger.paused', ({ params: { hitBreakpoints = [] } }) => {
    for (const breakpointId of hitBreakpoints) {
      files.add(fileAt.get(breakpointId) ?? '')
      commands.push(session.post('Debugger.removeBreakpoint', { breakpointId }))
    }
    commands.push(session.post('Debugger.resume'))
  })
  // Setting breakpoints takes so long that cached merchants and limits expire. This payment fills the caches again,
  // because a busy gateway always has them.
  await pay()
  await session.post('Debugger.setBreakpointsActive', { active: true })
  await pay()
  await session.post('Debugger.setBreakpointsActive', { active: false })
  // All commands must end first, because the debugger refuses commands after it was disabled.
  await Promise.all(commands)
  await session.post('Debugger.disable')
  return [...files]
}

async function breakAtEntry({ scriptId, start, end }: RunFunction): Promise<string | undefined> {
  const { scriptSource } = await sourceOf(scriptId)
  const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
    start: locationAt(scriptId, scriptSource, start),
    end: locationAt(scriptId, scriptSource, end),
    restrictToFunction: true,
  })
  const [entry] = locations
  if (entry === undefined) return undefined
  return (await session.post('Debugger.setBreakpoint', { location: entry })).breakpointId
}

function sourceOf(scriptId: string): Promise<Debugger.GetScriptSourceReturnType> {
  const source = scriptSources.get(scriptId) ?? session.post('Debugger.getScriptSource', { scriptId })
  scriptSources.set(scriptId, source)
  return source
}

function locationAt(scriptId: string, text: string, offset: number): Debugger.Location {
  const before = text.slice(0, offset)
  return {
    scriptId,
    lineNumber: before.split('\n').length - 1,
    columnNumber: offset - (before.lastIndexOf('\n') + 1),
  }
}

function fileOf(url: string): string {
  return fileURLToPath(url).slice(root.length)
}
