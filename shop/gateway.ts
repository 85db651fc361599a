// The gateway that the shop uses: the running sandbox that demo.json names, or a sandbox that is started here.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Demo, demoFile, readDemo } from '../src/operator/demo/demo-file.ts'
import { SettingError } from '../src/platform/errors/catalogue.ts'

export type Gateway = {
  readonly demo: Demo
  /** True if the shop started the gateway. */
  readonly isOurs: boolean
  /** Resolves when a gateway that was started here has ended. Never resolves for another gateway. */
  readonly ended: Promise<void>
}

const ANSWER_MS = 3_000
const program = fileURLToPath(new URL('../src/gateway/main.ts', import.meta.url))

/** If a gateway is started here, disposing `opened` stops the gateway. */
export async function findOrStartGateway(dataDir: string, opened: AsyncDisposableStack): Promise<Gateway> {
  const demo = await readDemo(dataDir)
  if (demo !== undefined && (await isReady(demo.baseUrl)))
    return { demo, isOurs: false, ended: new Promise(() => {}) }
  return startGateway(dataDir, opened)
}

async function isReady(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    () => undefined,
  )
  return response?.ok === true
}

/**
 * Starts a gateway as `npm start` does. The gateway has its own process group, so that Ctrl-C reaches only the shop.
 * The shop then stops the gateway.
 */
async function startGateway(dataDir: string, opened: AsyncDisposableStack): Promise<Gateway> {
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(() => {})
  opened.defer(() => stop(child, ended))
  const isUp = await Promise.race([untilReady(child), ended.then(() => false)])
  if (!isUp) throw new SettingError('the gateway did not start: the lines above say why')
  const demo = await readDemo(dataDir)
  if (demo !== undefined) return { demo, isOurs: true, ended }
  throw new SettingError(
    `${demoFile(dataDir)} is missing, and with it the demo merchant's key: choose an empty TOLLGATE_DATA_DIR`,
  )
}

/** Prints the gateway's lines, and resolves once the gateway is ready. */
function untilReady(child: ChildProcess): Promise<boolean> {
  const { stdout } = child
  if (stdout === null) throw new Error('its output is a pipe')
  return new Promise((resolve) => {
    createInterface(stdout).on('line', (line) => {
      console.log(line)
      if (line.startsWith('ready')) resolve(true)
    })
  })
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}
