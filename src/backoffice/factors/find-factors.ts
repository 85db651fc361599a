import type { Queryable } from '../../postgres/db.ts'
import type { Factor } from '../caller.ts'
import { selectFactors } from './sql.ts'

export type Factors = {
  readonly factors: readonly Factor[]
  /** Always for operators; for staff by the company's own rule. */
  readonly isRequired: boolean
}

export async function factorsOf(
  db: Queryable,
  person: { readonly merNo: number; readonly userId: string },
): Promise<Factors> {
  const { totp, passkey, required } = await selectFactors(db, person)
  return {
    factors: [...(totp ? ['totp' as const] : []), ...(passkey ? ['passkey' as const] : [])],
    isRequired: required,
  }
}
