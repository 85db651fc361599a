// Holds back the notifications of exam orders: the gateway marks them as acknowledged and sends nothing. Exam orders
// use an invalid address, not the gateway's own, because a sandbox that other machines can reach refuses loopback
// addresses.
import type { Sender, SendOutcome } from '../../money/notifications/send.ts'

/**
 * The address of notifications that are held back. No server can have this name, because RFC 2606 reserves `.invalid`.
 */
export const HOLD_URL = 'https://exam.invalid/notifications'

const acknowledged: SendOutcome = {
  latencyMs: 0,
  status: 200,
  answer: 'SUCCESS',
  error: undefined,
  unreachable: false,
}

export function holdExams(sender: Sender): Sender {
  const send: Sender['send'] = (outgoing) =>
    outgoing.url.href === HOLD_URL ? Promise.resolve(acknowledged) : sender.send(outgoing)
  return { ...sender, send }
}
