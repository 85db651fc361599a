// While the demo shop runs, a file in the data folder contains its port. The file contains no host, so it cannot name
// another machine.

import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { replaceSecret } from '../../platform/base/secret-file.ts'
import { hasCode } from '../../platform/base/thrown.ts'

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

/** The address of the demo shop if it runs. A killed shop leaves its file behind, so a connection is tried first. */
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
