// Signs a merchant's request after its mutation, so that the mutation gets past the signature.
import type { Account } from '../test/harness/client.ts'
import { signed } from '../test/harness/client.ts'

/** Returns the signature of an unsigned body: of its JSON fields, or of the multipart fields that can still be read. */
export function signatureOf(account: Account, path: string, body: string): string {
  return String(signed(account, path, fieldsIn(body)).sign)
}

function fieldsIn(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    const parts = body.matchAll(/name="(\w+)"\r\n\r\n([^\r]*)/g)
    return Object.fromEntries([...parts].map(([, name, value]) => [name, value]))
  }
}
