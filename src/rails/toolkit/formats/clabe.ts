// An own CLABE for each order: the company's prefix, the order's number, the check digit.
import { checkDigit, isClabe } from '../spei/clabe.ts'

const LENGTH = 17
/** The company's own account usually has the number zero. */
const FIRST = 1

/** STP's institution and town. A shorter prefix would be another company's, a longer one would leave too few numbers. */
export function isClabePrefix(text: string): boolean {
  return /^646180\d{1,7}$/.test(text)
}

/** Undefined when the prefix has no such number. */
export function clabeOf(prefix: string, number: number): string | undefined {
  const digits = LENGTH - prefix.length
  const account = prefix + String(number + FIRST).padStart(digits, '0')
  return account.length === LENGTH ? account + checkDigit(account) : undefined
}

/** Undefined when the CLABE is not one of ours. */
export function numberIn(clabe: string, prefix: string): number | undefined {
  return isClabe(clabe) && clabe.startsWith(prefix)
    ? Number(clabe.slice(prefix.length, LENGTH)) - FIRST
    : undefined
}
