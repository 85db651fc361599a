// A running `listen` receives notifications at an address on this machine, and writes the address to the data folder.
// `pay` and `trigger` set this address as the notify URL of their orders, so that the gateway notifies `listen` like
// any shop.
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { replaceSecret } from '../../../platform/base/secret-file.ts'
import { hasCode } from '../../../platform/base/thrown.ts'
import { reachOfHost } from '../../../platform/http/client/public-address.ts'
import type { Demo } from '../../demo/demo-file.ts'
import type { Tools } from '../command.ts'

const GREETING = 'tollgate listen'
const ACKNOWLEDGED = 'SUCCESS'
const PROBE_MS = 1_000

/** Opens a server that acknowledges every delivery, so that a mistake in the developer's server causes no retries. */
export async function openListener(dataDir: string, merNo: number): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.end(request.method === 'GET' ? GREETING : ACKNOWLEDGED)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  const written = JSON.stringify({ merNo, url: `http://127.0.0.1:${address.port}/notify` })
  replaceSecret(fileIn(dataDir), written)
  return {
    close() {
      // The file stays if a `listen` that started later has replaced it.
      if (readText(dataDir) === written) rmSync(fileIn(dataDir))
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Finds the address of a running `listen` for the demo merchant. Undefined for a gateway on another machine, which
 * could not reach the address.
 */
export async function findListener(
  { dataDir }: ReturnType<Tools['config']>,
  { merNo }: Pick<Demo, 'merNo'>,
  gatewayUrl: string,
): Promise<string | undefined> {
  const text = readText(dataDir)
  const gateway = URL.parse(gatewayUrl)
  if (text === undefined || gateway === null || reachOfHost(gateway.hostname) !== 'loopback') return undefined
  const listener: { merNo: number; url: string } = JSON.parse(text)
  return listener.merNo === merNo && (await isListening(listener.url)) ? listener.url : undefined
}

/**
 * True if a `listen` answers at this address. A killed `listen` leaves its file, and another program may use its port.
 */
async function isListening(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
    return (await response.text()) === GREETING
  } catch {
    return false
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'listen.json')
}

function readText(dataDir: string): string | undefined {
  try {
    return readFileSync(fileIn(dataDir), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
