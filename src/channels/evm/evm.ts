// The protocol `evm`: payments in coins of one EVM chain, read from nodes over JSON-RPC.
import { SettingError } from '../../errors/catalogue.ts'
import { offer } from '../crypto/coin.ts'
import { httpSettings } from '../http-settings.ts'
import type { Checked, Protocol } from '../protocol.ts'
import { createEvmChannel } from './evm-channel.ts'
import { type EvmSettings, readEvmSettings } from './evm-settings.ts'
import { openRpc, RpcFailure } from './json-rpc.ts'
import { type Nodes, openNodes } from './nodes.ts'
import { checkDecimals, createWatcher } from './watcher.ts'

export const evm: Protocol = (settings, { clock, timeoutMs, storeOf, rateOf, log }) => {
  const { name, methods, payoutKinds } = settings
  if (methods.some((method) => method !== 'crypto') || payoutKinds.length > 0)
    throw new SettingError(`channel ${name}: the protocol evm serves the method "crypto" only`)
  const ours = readEvmSettings(settings)
  offer(ours.network, [...ours.coins.keys()])
  const store = storeOf(name)
  const http = httpSettings(settings)
  const rpcs = ours.rpcUrls.map((url) => openRpc({ url, timeoutMs, http }))
  const nodes = openNodes(rpcs, ours.chainId)
  return {
    channels: [createEvmChannel({ name, settings: ours, store, clock, timeoutMs, rateOf })],
    check: (signal) => check(ours, nodes, signal),
    watcher: createWatcher({ channel: name, settings: ours, nodes, store, clock, log }),
  }
}

async function check(settings: EvmSettings, nodes: Nodes, signal: AbortSignal): Promise<Checked> {
  const { rpcUrls, network } = settings
  try {
    const head = await nodes.head(signal)
    const [problem] = nodes.problems()
    if (problem !== undefined) return { isRight: false, message: problem }
    await checkDecimals(settings, head, signal)
    const who = ['the node', 'both nodes'][rpcUrls.length - 1] ?? `all ${rpcUrls.length} nodes`
    const message = `${who} of ${network} answered at block ${head.number}, and the coins have their decimals`
    return { isRight: true, message }
  } catch (error) {
    if (error instanceof RpcFailure) return { isRight: false, message: error.message }
    throw error
  }
}
