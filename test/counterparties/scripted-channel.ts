// A channel whose responses a test sets, and which records its calls. It replaces the network.
import type { Channel, Outcome, StartRequest } from '../../src/rails/contract/channel.ts'
import { type Method, methods } from '../../src/rails/methods/methods.ts'

export type ScriptedChannel = Channel & {
  /** The next responses; a test may change them at any time. */
  says: { start: Script; complete: Script; ask: Script; cancel: Script }
  readonly started: StartRequest[]
  readonly asked: string[]
  readonly cancelled: string[]
}

type Script = () => Outcome | Promise<Outcome>

export function scriptedChannel(name: string, method: Method = 'card'): ScriptedChannel {
  const says = { start: succeeds, complete: succeeds, ask: succeeds, cancel: isCancelled }
  const started: StartRequest[] = []
  const asked: string[] = []
  const cancelled: string[] = []
  return {
    name,
    method,
    says,
    started,
    asked,
    cancelled,
    traits: { ...methods[method], timeoutMs: 1_000 },
    async start(request) {
      started.push(request)
      return says.start()
    },
    complete: async () => says.complete(),
    async ask({ reference }) {
      asked.push(reference)
      return says.ask()
    },
    async cancel({ reference }) {
      cancelled.push(reference)
      return says.cancel()
    },
    refund: async () => ({ kind: 'unknown', why: 'no refunds here' }),
  }
}

export const succeeds: Script = () => {
  return { kind: 'succeeded', money: { amount: 1000n, currency: 'USD' }, channelRef: 'charge-1' }
}
export const declines: Script = () => {
  return { kind: 'failed', cause: 'declined', message: 'Declined by the bank' }
}
export const refusesToOpen: Script = () => {
  return { kind: 'failed', cause: 'refused', message: 'No such card is taken' }
}
export const knowsUsNot: Script = () => {
  return { kind: 'failed', cause: 'unauthorised', message: 'The key has expired' }
}
export const isUnreachable: Script = () => {
  return { kind: 'failed', cause: 'unreachable', message: 'No connection' }
}
export const isSilent: Script = () => ({ kind: 'unknown', why: 'no response in time' })
export const isCancelled: Script = () => ({ kind: 'failed', cause: 'cancelled', message: 'Void' })
export const waitsForPayer: Script = () => {
  return {
    kind: 'pending',
    channelRef: 'charge-1',
    action: { kind: 'redirect', url: 'https://wallet.example/1' },
  }
}
