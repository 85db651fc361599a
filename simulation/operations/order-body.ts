// The fields that every order request has.
import type { Actor } from '../operation.ts'

export type Body = Record<string, unknown>

export function orderBody({ world, shop }: Actor, prefix: string, fields: Body): Body {
  return {
    merNo: shop.merNo,
    merOrderNo: world.witness.newNumber(prefix),
    returnUrl: 'https://shop.example/back',
    notifyUrl: notifyUrlOf({ world, shop }, 'payment'),
    protestNotifyUrl: notifyUrlOf({ world, shop }, 'chargeback'),
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
    ...fields,
  }
}

/** The address at which the merchant's server receives notifications about this kind of event. */
export function notifyUrlOf({ world, shop }: Pick<Actor, 'world' | 'shop'>, event: string): string {
  return `${world.merchants.url}/${shop.merNo}/${event}`
}
