// Checks a second factor and uses it up: a code of an app, a recovery code and a passkey's challenge count once.
import type { Static } from 'typebox'
import type { Vault } from '../../base/secret.ts'
import type { Tx } from '../../postgres/db.ts'
import type { Caller } from '../caller.ts'
import type { FieldText } from '../field-texts.ts'
import { atField, Problem } from '../problem.ts'
import { passkeyParty } from '../server/origins.ts'
import type { PasskeyAnswer } from '../session/factor-schemas.ts'
import { takeTotpStep, type UserRow } from '../sql.ts'
import { takeChallenge } from './challenge.ts'
import { totpContext } from './enrol-totp.ts'
import { verifyPasskey } from './passkey.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { recordPasskeyUse, selectPasskeys } from './sql.ts'
import { stepOfCode } from './totp.ts'

export type FactorDeps = { readonly vault: Vault; readonly baseUrl: string }

/** Six digits are a code of an app, anything else a recovery code. Returns how many recovery codes are left after one. */
export async function checkCode(
  tx: Tx,
  { vault }: FactorDeps,
  user: UserRow,
  typed: string,
  now: Date,
): Promise<number | undefined> {
  const person = { merNo: Number(user.mer_no), userId: user.user_id }
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) {
    const left = await useRecoveryCode(tx, vault, person, code, now)
    if (left === undefined) throw wrongCode('This recovery code does not exist or was used. Try another one.')
    return left
  }
  const step =
    user.totp_secret === null
      ? undefined
      : stepOfCode(vault.open(user.totp_secret, totpContext(user.user_id)), code, now)
  if (step === undefined)
    throw wrongCode('This code is wrong or too old. Enter the one that your app shows now.')
  if (!(await takeTotpStep(tx, person, step)))
    throw wrongCode('This code was used before. Wait for the next one.')
  return undefined
}

export async function checkPasskey(
  tx: Tx,
  { vault, baseUrl }: FactorDeps,
  caller: Caller,
  answer: Static<typeof PasskeyAnswer>,
  now: Date,
): Promise<void> {
  const party = passkeyParty(baseUrl)
  const challenge = await takeChallenge(tx, vault, caller, 'passkey', now)
  const stored = (await selectPasskeys(tx, caller)).find(({ passkey_id }) => passkey_id === answer.id)
  if (party === undefined || challenge === undefined || stored === undefined)
    throw new Problem('invalid', 'This passkey could not be used. Try again.')
  const { public_key: publicKey, sign_count } = stored
  const signCount = verifyPasskey(answer, challenge, party, { publicKey, signCount: Number(sign_count) })
  if (!(await recordPasskeyUse(tx, caller, { passkeyId: answer.id, signCount, now })))
    throw new Problem('invalid', 'This passkey was used at the same moment. Try again.')
}

function wrongCode(text: FieldText): Problem {
  return atField('code', text)
}
