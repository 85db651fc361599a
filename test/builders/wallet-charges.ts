import type { Sandbox } from '../sandbox/server.ts'

/** A wallet payment is charged when the acquirer has charged the card, not when the payer approved it. */
export async function isCharged(reference: string, sandbox: Sandbox): Promise<boolean> {
  const body = { merchantReference: reference }
  const answer = await sandbox.issuer.handle({ operation: 'lookup', body })
  return answer?.body.status === 'captured'
}
