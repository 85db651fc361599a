// How a gateway finds the demo shop: while the shop runs, its port is in the data folder. The host is always this machine, so
// the file can lead nobody elsewhere.

import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { hasCode } from '../base/error-code.ts'
import { replaceSecret } from '../base/secret-file.ts'

export const SHOP_HOST = 'localhost'
const TIMEOUT_MS = 1_000

function portFile(dataDir: string): string {
  return join(dataDir, 'shop-port')
}

export function writeShopPort(dataDir: string, port: number): void {
  replaceSecret(portFile(dataDir), `${port}\n`)
}

export function removeShopPort(dataDir: string): void {
  rmSync(portFile(dataDir), { force: true })
}

/** The address of the running shop. A shop that was killed leaves its file behind, so its port is tried. */
export async function findShop(dataDir: string): Promise<string | undefined> {
  const port = await readPort(dataDir)
  if (port === undefined || !(await listens(port))) return undefined
  return `http://${SHOP_HOST}:${port}/`
}

async function readPort(dataDir: string): Promise<number | undefined> {
  try {
    const text = (await readFile(portFile(dataDir), 'utf8')).trim()
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return port >= 1 && port <= 65_535 ? port : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: SHOP_HOST, port, timeout: TIMEOUT_MS })
    const answer = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
  })
}
