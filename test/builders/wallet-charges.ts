import type { Sandbox } from '../../sandbox/server.ts'

/** True if the acquirer has charged the card. The payer's approval alone does not charge a wallet payment. */
export async function isCharged(reference: string, sandbox: Sandbox): Promise<boolean> {
  const body = { merchantReference: reference }
  const answer = await sandbox.issuer.handle({ operation: 'lookup', body })
  return answer?.body.status === 'captured'
}
