import type { Check } from '../check.ts'

export const noLateCall: Check = {
  name: 'nothing decided is called again',
  promise: 'A refund or payout whose outcome was recorded is never sent to its counterparty again.',
  async run({ calls }) {
    const findings = calls.late.map((call) => ({
      what: `${call.reference} was called although it had ${call.state}`,
      about: call.reference,
      rows: call,
    }))
    return { compared: calls.compared(), findings }
  },
}
