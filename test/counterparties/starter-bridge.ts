// Starts the starter bridge of examples/bridge as a separate process, as the bridge's guide says.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const BRIDGE_SECRET = 'a secret of a starter bridge'

export type StarterBridge = {
  readonly url: string
  readBook(): string
  /** Kills the bridge and starts it again, with the same book and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startStarterBridge(
  settings: Readonly<Record<string, string>> = {},
): Promise<StarterBridge> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bridge-'))
  const env = { BRIDGE_SECRET, BRIDGE_BOOK: join(folder, 'book.jsonl'), BRIDGE_DECIDES_MS: '20', ...settings }
  let running = await start({ ...env, BRIDGE_PORT: '0' })
  const { url } = running
  return {
    url,
    readBook: () => readFileSync(env.BRIDGE_BOOK, 'utf8'),
    async restart() {
      await stop(running, 'SIGKILL')
      running = await start({ ...env, BRIDGE_PORT: new URL(url).port })
    },
    async close() {
      await stop(running, 'SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}

async function start(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['examples/bridge/bridge.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url: String(line).replace('bridge at ', '') }
}

async function stop(
  { child }: Awaited<ReturnType<typeof start>>,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
