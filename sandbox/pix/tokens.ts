// Access tokens for client credentials. A token contains its expiry, its scopes and a MAC, so tokens need not be
// stored.
import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../src/platform/base/secret.ts'

const LIFE_S = 3600

/** The scopes that the application of the sandbox's gateway may request. */
const allowed = [
  ...['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write', 'webhook.read'],
  // The scopes for sent Pix, by the names of Efí and of Inter.
  ...['pix.send', 'gn.pix.sent.read', 'pagamento-pix.write', 'pagamento-pix.read'],
]

export type TokenRequest = {
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string | undefined>>
}

export type Issued =
  | { readonly token: string; readonly lifeS: number; readonly scope: string }
  | 'invalid_client'
  | 'invalid_scope'

export type Tokens = {
  issue(request: TokenRequest, now: Date): Issued
  /** The scopes of a token, or undefined if the token is invalid or has expired. */
  scopesOf(authorization: string | undefined, now: Date): readonly string[] | undefined
}

export function createTokens(client: { readonly id: string; readonly secret: string }): Tokens {
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const seal = (text: string) => createHmac('sha256', client.secret).update(text).digest('base64url')
  const isClient = ({ authorization, form }: TokenRequest) =>
    authorization === undefined
      ? form.client_id === client.id && isEqualSecret(form.client_secret ?? '', client.secret)
      : isEqualSecret(authorization, basic)
  return {
    issue(request, now) {
      if (request.form.grant_type !== 'client_credentials' || !isClient(request)) return 'invalid_client'
      const asked = request.form.scope?.split(' ') ?? allowed
      if (!asked.every((scope) => allowed.includes(scope))) return 'invalid_scope'
      const until = Math.floor(now.getTime() / 1000) + LIFE_S
      const content = `${until}/${asked.join('/')}`
      return { token: `${content}~${seal(content)}`, lifeS: LIFE_S, scope: asked.join(' ') }
    },
    scopesOf(authorization = '', now) {
      const [, content = '', sealed = ''] = /^Bearer ([^~]+)~(.+)$/.exec(authorization) ?? []
      const [until = '', ...scopes] = content.split('/')
      const isGood = Number(until) * 1000 > now.getTime() && isEqualSecret(sealed, seal(content))
      return isGood ? scopes : undefined
    },
  }
}
