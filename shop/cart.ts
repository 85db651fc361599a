// The cart is a cookie, so the shop stores nothing about people who only look. Any cookie of a browser is read as a
// cart that the shop could have made: known products, 1 to 20 pieces of each.
import { type Product, productOf, products } from './products.ts'

export type Line = { readonly product: Product; readonly quantity: number }

export const MOST_PIECES = 20
const NAME = 'shop_cart'

/** `cookies` is the header of the request. */
export function readCart(cookies: string | undefined): Line[] {
  const pieces = new Map<string, number>()
  for (const part of cookieIn(cookies, NAME).split('~').slice(0, products.length)) {
    const [sku = '', quantity = ''] = part.split('.')
    if (/^\d{1,2}$/.test(quantity)) pieces.set(sku, Number(quantity))
  }
  return linesOf(pieces)
}

/** Returns the cart with this many pieces of the product. With 0, the product is removed. */
export function withPieces(lines: readonly Line[], sku: string, quantity: number): Line[] {
  const pieces = new Map(lines.map((line) => [line.product.sku, line.quantity]))
  return linesOf(pieces.set(sku, quantity))
}

export function piecesOf(lines: readonly Line[], sku: string): number {
  return lines.find(({ product }) => product.sku === sku)?.quantity ?? 0
}

export function countPieces(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** The header that stores the cart. */
export function cartCookie(lines: readonly Line[]): string {
  const value = lines.map(({ product, quantity }) => `${product.sku}.${quantity}`).join('~')
  return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax`
}

export function cookieIn(cookies: string | undefined, name: string): string {
  const found = (cookies ?? '').split(/; */).find((one) => one.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}

function linesOf(pieces: ReadonlyMap<string, number>): Line[] {
  return [...pieces].flatMap(([sku, wanted]) => {
    const product = productOf(sku)
    const quantity = Math.min(wanted, MOST_PIECES)
    return product === undefined || !(quantity >= 1) ? [] : [{ product, quantity }]
  })
}
