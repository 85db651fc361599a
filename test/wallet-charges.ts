import type { Sandbox } from '../sandbox/server.ts'

/** A wallet's payer has paid when the acquirer has charged the card, not when the wallet's page was approved. */
export async function isCharged(reference: string, sandbox: Sandbox): Promise<boolean> {
  const body = { merchantReference: reference }
  const answer = await sandbox.issuer.handle({ operation: 'lookup', body })
  return answer?.body.status === 'captured'
}
