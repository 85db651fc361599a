// Access tokens for client credentials. A token contains its expiry and a MAC, so none is stored.
import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../src/base/secret.ts'

const LIFE_S = 3600

export type Tokens = {
  issue(authorization: string | undefined, now: Date): { token: string; lifeS: number } | undefined
  isGood(authorization: string | undefined, now: Date): boolean
}

export function createTokens(client: { readonly id: string; readonly secret: string }): Tokens {
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const seal = (until: string) => createHmac('sha256', client.secret).update(until).digest('base64url')
  return {
    issue(authorization = '', now) {
      if (!isEqualSecret(authorization, basic)) return undefined
      const until = String(Math.floor(now.getTime() / 1000) + LIFE_S)
      return { token: `${until}.${seal(until)}`, lifeS: LIFE_S }
    },
    isGood(authorization = '', now) {
      const [, until = '', sealed = ''] = /^Bearer (\d{1,12})\.(.+)$/.exec(authorization) ?? []
      return Number(until) * 1000 > now.getTime() && isEqualSecret(sealed, seal(until))
    },
  }
}
