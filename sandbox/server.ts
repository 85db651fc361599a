// Serves the sandbox's counterparties on a separate port. The port stays the same after a restart, so that links to the
// payer pages stay valid.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../src/platform/base/clock.ts'
import { openSecretFolder, replaceSecret } from '../src/platform/base/secret-file.ts'
import { cannotListen } from '../src/platform/http/server/listen-at.ts'
import { mountAlipay } from './alipay/mount.ts'
import type { Bank } from './bank/bank.ts'
import { mountBanks } from './bank/banks.ts'
import { type Callbacks, signedMessage, startCallbacks } from './callbacks.ts'
import { type CardIssuer, createCardIssuer } from './card-issuer.ts'
import { mountCrypto } from './crypto/mount.ts'
import { registerAcs, registerIssuerApi } from './issuer-routes.ts'
import type { Answering } from './operations.ts'
import { createPayoutBank, type PayoutBank } from './payout-bank.ts'
import { mountPix } from './pix/mount.ts'
import type { ChannelEntry, Mount, SandboxPlace } from './place.ts'
import { sandboxSecret } from './shared-secret.ts'
import { mountWallets } from './wallets/mount.ts'
import { mountWechat } from './wechat/mount.ts'

export type SandboxOptions = {
  readonly host: string
  readonly dataDir: string
  readonly minuteMs: number
  /** The secret that is shared with the gateway. The default is the secret in the data folder. */
  readonly secret?: string | undefined
  /** By default, the previous port if it is free, and otherwise any free port. */
  readonly port?: number | undefined
  /**
   * The address that gateways and payers use, for example a proxy's address. The default is the sandbox's own address.
   */
  readonly publicUrl?: string | undefined
  readonly clock?: Clock
  /** Counterparties in addition to the usual ones. */
  readonly extra?: readonly Mount[]
}

export type Sandbox = {
  readonly issuer: CardIssuer
  readonly url: string
  /** The settings of each channel, as in a channels file. */
  settings(): readonly ChannelEntry[]
  /** The bank behind a method; undefined for cards, whose issuer has its own book. */
  bank(method: string): Bank | undefined
  close(): Promise<void>
}

const payoutMethods = ['payout_card', 'payout_bank', 'payout_pix', 'payout_per', 'payout_spei']

/** The path of the payout bank, below the sandbox's address. */
export const PAYOUT_BANK_PATH = '/payout-bank'

/** The usual counterparties besides the card issuer and the payout bank, each with its own routes and book. */
const mounts: readonly Mount[] = [mountBanks, mountPix, mountAlipay, mountWechat, mountWallets, mountCrypto]

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, dataDir, minuteMs, clock = systemClock } = options
  const folder = join(dataDir, 'sandbox')
  openSecretFolder(folder)
  const secret = options.secret ?? sandboxSecret(dataDir)
  const app = fastify({ forceCloseConnections: true, bodyLimit: 65_536 })
  let url = ''
  const place: SandboxPlace = { app, folder, url: () => url, secret, clock, minuteMs }
  const issuer = createCardIssuer({
    bookFile: join(folder, 'card-issuer.sqlite'),
    acsUrl: () => `${url}/acs`,
    minuteMs,
    clock,
  })
  const payoutBank = createPayoutBank({ bookFile: join(folder, 'payout-bank.sqlite'), clock })
  const counterparties = [...mounts, ...(options.extra ?? [])].map((mount) => mount(place))
  const settings = () => [
    { name: 'card', method: 'card', url, secret },
    { name: 'payout-bank', methods: payoutMethods, url: url + PAYOUT_BANK_PATH, secret },
    ...counterparties.flatMap((counterparty) => counterparty.settings()),
  ]
  registerIssuerApi(app, withSettings(issuer, settings), secret)
  registerIssuerApi(app, payoutBank, secret, PAYOUT_BANK_PATH)
  registerAcs(app, issuer)
  const callbacks = [startChallengeCallbacks(issuer, secret), startPayoutCallbacks(payoutBank, secret)]
  const ownUrl = addressOf(host, await listen(app, options))
  url = options.publicUrl ?? ownUrl
  return {
    issuer,
    url: ownUrl,
    settings,
    bank: (method) => counterparties.map(({ banks }) => banks.get(method)).find((bank) => bank !== undefined),
    async close() {
      await app.close()
      await Promise.all(callbacks.map((one) => one.stop()))
      await Promise.all(counterparties.map((counterparty) => counterparty.close()))
      issuer.close()
      payoutBank.close()
    },
  }
}

function startChallengeCallbacks(issuer: CardIssuer, secret: string): Callbacks {
  const callbacks = startCallbacks({
    outbox: issuer.outbox,
    messageOf(reference) {
      const callback = issuer.callbackOf(reference)
      return callback && signedMessage(callback.url, secret, callback.charge)
    },
  })
  issuer.onDecided(callbacks.poke)
  return callbacks
}

export function startPayoutCallbacks(bank: PayoutBank, secret: string): Callbacks {
  const callbacks = startCallbacks({
    outbox: bank.outbox,
    messageOf(reference) {
      const callback = bank.callbackOf(reference)
      return callback && signedMessage(callback.url, secret, callback.payout)
    },
  })
  bank.onChange(callbacks.poke)
  return callbacks
}

/** Adds the operation `settings`, with which a gateway in another process reads the settings of all channels. */
function withSettings(issuer: Answering, settings: () => readonly ChannelEntry[]): Answering {
  return {
    async handle(request, signal) {
      if (request.operation !== 'settings') return issuer.handle(request, signal)
      return { status: 200, body: { channels: settings() } }
    },
  }
}

async function listen(server: FastifyInstance, options: SandboxOptions): Promise<number> {
  const { host, port } = options
  try {
    return await (port === undefined ? listenAsBefore(server, options) : listenOn(server, host, port))
  } catch (error) {
    throw port === undefined
      ? cannotListen(error, host, 'HOST')
      : cannotListen(error, `${host}:${port}`, 'TOLLGATE_SANDBOX_PORT or HOST')
  }
}

/** Listens on the previous port if it is free, and otherwise on any free port. */
async function listenAsBefore(server: FastifyInstance, { host, dataDir }: SandboxOptions): Promise<number> {
  const file = join(dataDir, 'sandbox', 'port')
  const previous = Number(readPort(file))
  const isPort = Number.isInteger(previous) && previous > 0 && previous < 65_536
  const found = await listenOn(server, host, isPort ? previous : 0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return listenOn(server, host, 0)
  })
  if (found !== previous) replaceSecret(file, `${found}\n`)
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

/** Returns an address to which clients can connect, instead of a wildcard address such as 0.0.0.0. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function readPort(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
