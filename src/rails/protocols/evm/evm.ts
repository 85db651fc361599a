// The protocol `evm`: payments in the coins of one EVM chain. The gateway reads the chain from nodes over JSON-RPC. The
// gateway has no private key: a separate program, the signer, signs refunds and payouts.
import type { Clock } from '../../../platform/base/clock.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { createEvmChannel } from './channel.ts'
import { openRpc, RpcFailure } from './json-rpc.ts'
import { findStandstill, type Nodes, openNodes } from './nodes.ts'
import { createEvmRail } from './rail.ts'
import { type EvmSettings, type Outgoing, readEvmSettings } from './settings.ts'
import { openSignerFolder, openSignerSocket, type Signer } from './signer.ts'
import { checkDecimals, createWatcher } from './watcher.ts'

export const evm: Protocol = (settings, { clock, timeoutMs, storeOf, rateOf, log, alarm }) => {
  const { name, methods, payoutKinds } = settings
  checkServed(settings, ['crypto'], ['coin'])
  const ours = readEvmSettings(settings)
  if (payoutKinds.length > 0 && ours.outgoing === undefined)
    throw new SettingError(`channel ${name}: payout_coin needs "outgoing", the signer that coin leaves by`)
  const store = storeOf(name)
  const http = httpSettings(settings)
  const rpcs = ours.rpcUrls.map((url) => openRpc({ url, timeoutMs, http }))
  const nodes = openNodes(rpcs, ours.chainId)
  const signer = ours.outgoing && openSigner(ours.outgoing)
  const common = { name, settings: ours, store, timeoutMs, rateOf }
  return {
    channels: methods.length > 0 ? [createEvmChannel({ ...common, clock })] : [],
    ...(payoutKinds.length > 0 && { rail: createEvmRail(common) }),
    check: (signal) => check(ours, { nodes, signer, clock }, signal),
    watcher: createWatcher({ channel: name, settings: ours, nodes, signer, store, clock, log, alarm }),
  }
}

function openSigner(outgoing: Outgoing): Signer {
  return 'folder' in outgoing
    ? openSignerFolder(outgoing.folder)
    : openSignerSocket({ path: outgoing.socket, from: outgoing.from })
}

type Parties = { readonly nodes: Nodes; readonly signer: Signer | undefined; readonly clock: Clock }

async function check(
  settings: EvmSettings,
  { nodes, signer, clock }: Parties,
  signal: AbortSignal,
): Promise<Checked> {
  const checked = await checkNodes(settings, { nodes, clock }, signal)
  if (!checked.isRight || signer === undefined) return checked
  const { isRight, message } = await signer.check(signal)
  return { isRight, message: isRight ? `${checked.message}; ${message}` : message }
}

async function checkNodes(
  settings: EvmSettings,
  { nodes, clock }: Pick<Parties, 'nodes' | 'clock'>,
  signal: AbortSignal,
): Promise<Checked> {
  const { rpcUrls, network } = settings
  try {
    const head = await nodes.head(signal)
    const [problem] = nodes.problems()
    if (problem !== undefined) return { isRight: false, message: problem }
    const standstill = findStandstill(settings, head, clock)
    if (standstill !== undefined) return { isRight: false, message: standstill.message }
    await checkDecimals(settings, head, signal)
    const who = ['the node', 'both nodes'][rpcUrls.length - 1] ?? `all ${rpcUrls.length} nodes`
    const message = `${who} of ${network} answered at block ${head.number}, and the coins have their decimals`
    return { isRight: true, message }
  } catch (error) {
    if (error instanceof RpcFailure) return { isRight: false, message: error.message }
    throw error
  }
}
