// The sandbox's counterparties on a port of their own, which stays the same from start to start so that links to the
// bank's page outlive a restart.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../base/clock.ts'
import { type CardIssuer, createCardIssuer } from './card-issuer.ts'
import { registerAcs, registerIssuerApi } from './issuer-routes.ts'
import { createPayoutBank, type PayoutBank } from './payout-bank.ts'

export type SandboxOptions = {
  readonly host: string
  readonly dataDir: string
  readonly minuteMs: number
  /** Shared with the gateway; unset: one that is kept in the data folder. */
  readonly secret?: string | undefined
  /** Unset: the port of the last time, or any free one. */
  readonly port?: number | undefined
  readonly clock?: Clock
}

export type Sandbox = {
  readonly issuer: CardIssuer
  readonly payoutBank: PayoutBank
  readonly url: string
  close(): Promise<void>
}

/** Where the payout bank listens, below the sandbox's address. */
export const PAYOUT_BANK_PATH = '/payout-bank'

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, dataDir, minuteMs, clock = systemClock } = options
  mkdirSync(join(dataDir, 'sandbox'), { recursive: true })
  const secret = options.secret ?? sandboxSecret(dataDir)
  const server = fastify({ forceCloseConnections: true, bodyLimit: 65_536 })
  const bookFile = join(dataDir, 'sandbox', 'card-issuer.sqlite')
  let url = ''
  const issuer = createCardIssuer({ bookFile, acsUrl: () => `${url}/acs`, minuteMs, clock })
  const payoutBank = createPayoutBank({ bookFile: join(dataDir, 'sandbox', 'payout-bank.sqlite'), clock })
  registerIssuerApi(server, issuer, secret)
  registerIssuerApi(server, payoutBank, secret, PAYOUT_BANK_PATH)
  registerAcs(server, issuer)
  url = addressOf(host, await listen(server, options))
  return {
    issuer,
    payoutBank,
    url,
    async close() {
      await server.close()
      issuer.close()
      payoutBank.close()
    },
  }
}

/** The secret that gateway and sandbox share when they share a data folder and none is set. */
export function sandboxSecret(dataDir: string): string {
  const file = join(dataDir, 'sandbox', 'card-issuer.secret')
  const kept = readKept(file)
  if (kept !== '') return kept
  mkdirSync(join(dataDir, 'sandbox'), { recursive: true })
  try {
    // Two first starts at once: one makes the file, both read it.
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (readKept(file) === '') throw error
  }
  return readKept(file)
}

async function listen(server: FastifyInstance, { host, dataDir, port }: SandboxOptions): Promise<number> {
  if (port !== undefined) return listenOn(server, host, port)
  const file = join(dataDir, 'sandbox', 'port')
  const kept = Number(readKept(file))
  const isPort = Number.isInteger(kept) && kept > 0 && kept < 65_536
  const found = await listenOn(server, host, isPort ? kept : 0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return listenOn(server, host, 0)
  })
  if (found !== kept) writeFileSync(file, `${found}\n`)
  return found
}

async function listenOn(server: FastifyInstance, host: string, port: number): Promise<number> {
  await server.listen({ host, port })
  const address = server.server.address()
  return isAddressInfo(address) ? address.port : port
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

/** A wildcard is no address to go to. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function readKept(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
