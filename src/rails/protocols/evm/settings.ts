import { isAbsolute } from 'node:path'
import { isCurrency } from '../../../platform/base/currency.ts'
import { parseRate, type Rate } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { readWebAddress } from '../../../platform/base/web-address.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import { type NamedSettings, textSetting } from '../../contract/settings.ts'
import type { CoinDecimals } from '../../methods/crypto.ts'
import { type AddressBook, isChecksummed } from '../../toolkit/formats/chain-address.ts'
import { addressBookSetting } from '../../toolkit/settings/key-settings.ts'

export type EvmSettings = {
  readonly network: string
  readonly chainId: number
  readonly rpcUrls: readonly URL[]
  readonly addresses: AddressBook
  /**
   * When a transfer counts: after this number of confirmations, or once the chain reports its block as safe or
   * finalized.
   */
  readonly confirmations: number | Finality
  readonly coins: ReadonlyMap<string, EvmCoin>
  /** For how many days an address is watched after its payment has expired. */
  readonly watchDays: number
  /** After how many minutes without a new block the chain counts as stalled. */
  readonly quietMinutes: number
  readonly outgoing: Outgoing | undefined
}

/** The block tags of JSON-RPC for the newest block with this finality. */
export type Finality = 'safe' | 'finalized'

export type EvmCoin = {
  readonly name: string
  /** The token's contract in lower case, or 'native' for the network's own coin. */
  readonly token: string
  readonly decimals: CoinDecimals
  /** The price of one coin in US dollars. If undefined, the gateway's rate applies. */
  readonly price: Rate | undefined
}

/**
 * The account that the signer signs for, and the folder or Unix domain socket through which the gateway reaches the
 * signer.
 */
export type Outgoing = { readonly from: string } & ({ readonly folder: string } | { readonly socket: string })

const NATIVE_DECIMALS = 18
const SHOWN = { native: 8, token: 6 }
const DEFAULT_WATCH_DAYS = 30
/** Public chains have a block every few seconds, but a node that lags for a minute or two must raise no alarm. */
const DEFAULT_QUIET_MINUTES = 10
/** The maximum length of a socket's path in bytes, on the strictest operating system that the gateway runs on. */
const MAX_SOCKET_PATH = 103

/**
 * The chains on which "confirmations" may be 'safe'. Base and Arbitrum write their safe blocks to Ethereum. On other
 * chains, a reorg may replace safe blocks.
 */
const SAFE_CHAINS: readonly number[] = [8453, 42161]

export function readEvmSettings(settings: NamedSettings): EvmSettings {
  return {
    network: networkSetting(settings),
    chainId: countSetting(settings, 'chainId', settings.chainId),
    rpcUrls: urlsSetting(settings),
    addresses: addressBookSetting(settings),
    confirmations: finalitySetting(settings),
    coins: coinsSetting(settings),
    watchDays: countSetting(settings, 'watchDays', settings.watchDays ?? DEFAULT_WATCH_DAYS),
    quietMinutes: countSetting(settings, 'quietMinutes', settings.quietMinutes ?? DEFAULT_QUIET_MINUTES),
    outgoing: outgoingSetting(settings),
  }
}

function wrong({ name }: NamedSettings, rest: string): SettingError {
  return new SettingError(`channel ${name}: ${rest}`)
}

function networkSetting(settings: NamedSettings): string {
  const network = textSetting(settings, 'network')
  if (/^[A-Z0-9_]{2,20}$/.test(network)) return network
  throw wrong(settings, '"network" must have 2 to 20 capital letters, digits or underscores')
}

function countSetting(settings: NamedSettings, name: string, value: unknown, or = ''): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw wrong(settings, `"${name}" must be a whole number above zero${or}`)
}

function finalitySetting(settings: NamedSettings): EvmSettings['confirmations'] {
  const { confirmations, chainId } = settings
  if (confirmations === 'finalized') return confirmations
  if (confirmations === 'safe') {
    if (SAFE_CHAINS.some((chain) => chain === chainId)) return confirmations
    throw wrong(settings, '"confirmations" may be "safe" only on Base (8453) and Arbitrum (42161)')
  }
  return countSetting(settings, 'confirmations', confirmations, ', "finalized" or "safe"')
}

/** Reads "rpcUrls". Duplicates are refused, because a node that is listed twice would agree with itself. */
function urlsSetting(settings: NamedSettings): URL[] {
  const { rpcUrls: list } = settings
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  const urls = texts.flatMap((text) => (readWebAddress(text) === undefined ? [] : new URL(text)))
  const isWhole = Array.isArray(list) && urls.length === list.length && urls.length > 0
  if (!isWhole)
    throw wrong(settings, '"rpcUrls" must be a list of http or https addresses of nodes, without spaces')
  if (new Set(urls.map(({ href }) => href)).size < urls.length)
    throw wrong(settings, '"rpcUrls" must name different nodes')
  return urls
}

function coinsSetting(settings: NamedSettings): ReadonlyMap<string, EvmCoin> {
  const { coins } = settings
  if (!isObject(coins) || Object.keys(coins).length === 0)
    throw wrong(settings, '"coins" must name at least one coin')
  const list = Object.entries(coins).map(([name, coin]) => coinSetting(settings, name, coin))
  if (new Set(list.map(({ token }) => token)).size < list.length)
    throw wrong(settings, '"coins" must have a different contract for each coin')
  return new Map(list.map((coin) => [coin.name, coin]))
}

function coinSetting(settings: NamedSettings, name: string, coin: unknown): EvmCoin {
  if (!/^[A-Z0-9]{2,10}$/.test(name) || !isObject(coin))
    throw wrong(
      settings,
      `"coins": the coin ${name} must be an object under a name of 2 to 10 capital letters or digits`,
    )
  const isNative = coin.native === true
  const token = isNative ? 'native' : contractOf(settings, name, coin.address)
  const chain = isNative && coin.decimals === undefined ? NATIVE_DECIMALS : coin.decimals
  if (typeof chain !== 'number' || !Number.isInteger(chain) || chain < 1 || chain > 30)
    throw wrong(settings, `"coins": the coin ${name} needs "decimals" from 1 to 30`)
  const shown = Math.min(chain, isNative ? SHOWN.native : SHOWN.token)
  return { name, token, decimals: { chain, shown }, price: priceOf(settings, name, coin) }
}

function contractOf(settings: NamedSettings, name: string, address: unknown): string {
  // EIP-55 allows an address in lower case, which has no checksum. If such an address is wrong, the watcher finds the
  // error: it compares the contract's decimals before it reads any transfer.
  const isPlain = typeof address === 'string' && /^0x[0-9a-f]{40}$/.test(address)
  if (isPlain || (typeof address === 'string' && isChecksummed(address))) return address.toLowerCase()
  throw wrong(
    settings,
    `"coins": the coin ${name} needs "native": true, or the "address" of its contract with a right EIP-55 checksum or in lower case`,
  )
}

function priceOf(settings: NamedSettings, name: string, { price }: Fields): Rate | undefined {
  if (price === undefined && isCurrency(name)) return undefined
  const rate = typeof price === 'string' ? parseRate(price) : undefined
  if (rate !== undefined) return rate
  throw wrong(
    settings,
    `"coins": the coin ${name} needs "price", the US dollars for one coin as a text such as "1"`,
  )
}

// The permissions of the folder or socket decide who may request signatures. TCP is not supported, because requests are
// neither authenticated nor encrypted. To use a signer on another machine, the operator needs a tunnel that is trusted.
function outgoingSetting(settings: NamedSettings): Outgoing | undefined {
  const { outgoing } = settings
  if (outgoing === undefined) return undefined
  const { from, folder, socket } = isObject(outgoing) ? outgoing : {}
  if (typeof from !== 'string' || !isChecksummed(from))
    throw wrong(settings, '"outgoing" needs "from", an address with EIP-55 checksum')
  const path = folder ?? socket
  const isOne = (folder === undefined) !== (socket === undefined)
  if (!isOne || typeof path !== 'string' || !isAbsolute(path))
    throw wrong(settings, '"outgoing" needs either "folder" or "socket", an absolute path')
  if (socket !== undefined && Buffer.byteLength(path) > MAX_SOCKET_PATH)
    throw wrong(settings, `"socket" must be a path of at most ${MAX_SOCKET_PATH} bytes`)
  return { from: from.toLowerCase(), ...(socket === undefined ? { folder: path } : { socket: path }) }
}
