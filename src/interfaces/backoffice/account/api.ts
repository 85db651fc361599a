// A person's own account: password, second factors, sessions, and the one-time links of mails.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, oneOf, orNull, text } from '../schemas.ts'
import { NewPasskey, Next, PasskeyCreation } from '../session/factor-schemas.ts'

export const Language = oneOf('en', 'zh')
export const NewPassword = Type.String({ minLength: 1, maxLength: 200 })
const Token = Type.String({ minLength: 20, maxLength: 100 })

/**
 * The reply to a new second factor. `recoveryCodes` is set only for the person's first factor, and no other reply shows
 * these codes.
 */
const Enrolled = Type.Object({
  next: Next,
  recoveryCodes: Type.Optional(Type.Array(Type.String())),
})

export const accountApi = {
  'GET /account': {
    access: 'password-given',
    reply: Type.Object({
      email: Type.String(),
      name: Type.String(),
      language: orNull(Language),
      /** True if the person must have a second factor. The person then cannot remove the last factor. */
      factorRequired: Type.Boolean(),
      totp: Type.Boolean(),
      passkeys: Type.Array(
        Type.Object({
          passkeyId: Type.String(),
          name: Type.String(),
          createdAt: Moment,
          usedAt: orNull(Moment),
        }),
      ),
      recoveryCodesLeft: Type.Integer(),
    }),
  },
  'PUT /account': {
    access: 'signed-in',
    body: Type.Object({ name: text(100), language: orNull(Language) }),
    reply: Nothing,
  },
  /** Changes the password, and ends all other sessions of the person. */
  'PUT /account/password': {
    access: 'signed-in',
    body: Type.Object({ current: Type.String({ minLength: 1, maxLength: 200 }), password: NewPassword }),
    reply: Nothing,
  },

  /**
   * Makes a secret for an authenticator app. The secret counts as a second factor once the person has entered a valid
   * code.
   */
  'POST /account/totp': {
    access: 'password-given',
    reply: Type.Object({ secret: Type.String(), uri: Type.String(), qrSvg: Type.String() }),
  },
  'POST /account/totp/confirm': {
    access: 'password-given',
    body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 10 }) }),
    reply: Enrolled,
  },
  'DELETE /account/totp': { access: 'signed-in', dangerous: true, reply: Nothing },
  'POST /account/passkeys/challenge': { access: 'password-given', reply: PasskeyCreation },
  'POST /account/passkeys': {
    access: 'password-given',
    body: Type.Object({ name: text(60), passkey: NewPasskey }),
    reply: Enrolled,
  },
  'DELETE /account/passkeys/:passkeyId': {
    access: 'signed-in',
    dangerous: true,
    params: Type.Object({ passkeyId: Type.String({ maxLength: 200 }) }),
    reply: Nothing,
  },
  /** Makes new recovery codes. The old codes become invalid. */
  'POST /account/recovery-codes': {
    access: 'signed-in',
    dangerous: true,
    reply: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
  },

  'GET /account/sessions': {
    access: 'signed-in',
    reply: Type.Object({
      rows: Type.Array(
        Type.Object({
          sessionId: Type.String(),
          isCurrent: Type.Boolean(),
          createdAt: Moment,
          seenAt: Moment,
          address: Type.String(),
          agent: Type.String(),
        }),
      ),
    }),
  },
  'DELETE /account/sessions/:sessionId': {
    access: 'signed-in',
    params: Type.Object({ sessionId: Type.String({ maxLength: 100 }) }),
    reply: Nothing,
  },
  /** Ends all sessions except the current one. */
  'DELETE /account/sessions': { access: 'signed-in', reply: Type.Object({ ended: Type.Integer() }) },

  /** Mails a link for a new password. The reply is the same whether or not the address has an account. */
  'POST /account/forgotten': {
    access: 'public',
    body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 255 }) }),
    reply: Nothing,
  },
  /**
   * Describes a one-time link. The call is refused if the address now has another account. The page of the link is
   * /backoffice/link#TOKEN. Browsers do not send the fragment, so no log contains the token.
   */
  'POST /account/link': {
    access: 'public',
    body: Type.Object({ token: Token }),
    reply: Type.Object({
      /** `invitation` is for a new person, `reset` for a forgotten password, `registration` for a new company. */
      purpose: oneOf('invitation', 'reset', 'registration'),
      email: Type.String(),
      name: Type.String(),
      company: Type.String(),
    }),
  },
  /** Sets the password and signs in. A link can be used once. A registration link also creates the company. */
  'POST /account/link/use': {
    access: 'public',
    body: Type.Object({ token: Token, password: NewPassword, name: Type.Optional(text(100)) }),
    reply: Type.Object({ next: Next }),
  },
} as const satisfies Routes
