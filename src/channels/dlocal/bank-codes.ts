// dLocal's code of the beneficiary's bank. In Peru and Mexico it is the beginning of the account number. Elsewhere dLocal has
// lists of its own, and merchants name a bank by its BIC: the setting bankCodes maps one to the other.
import { isBic } from '../../base/iban.ts'
import { isObject } from '../../base/object.ts'
import { SettingError } from '../../errors/catalogue.ts'
import { isCci } from '../per-transfer/cci.ts'
import type { ChannelSettings } from '../settings.ts'
import { isClabe } from '../spei/clabe.ts'

/** By BIC, as `plain` writes it. */
export type BankCodes = ReadonlyMap<string, string>

export function bankCodesSetting({ name, bankCodes = {} }: ChannelSettings): BankCodes {
  const isMap =
    isObject(bankCodes) && Object.entries(bankCodes).every(([bic, code]) => isBic(bic) && isCode(code))
  if (!isMap)
    throw new SettingError(
      `channel ${name}: "bankCodes" must map BICs to dLocal's codes of those banks, such as {"BFTVVNVX": "203"}`,
    )
  return new Map(Object.entries(bankCodes).map(([bic, code]) => [plain(bic), String(code)]))
}

/** A BIC in place of dLocal's code is a mistake that dLocal would only find in each payout. */
function isCode(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(code) && !isBic(code)
}

/** Undefined when it is not known. */
export function bankCodeOf(
  { account, bic, country }: { readonly account: string; readonly bic: string; readonly country: string },
  codes: BankCodes,
): string | undefined {
  const isNumbered = (country === 'PE' && isCci(account)) || (country === 'MX' && isClabe(account))
  if (isNumbered) return account.slice(0, 3)
  return codes.get(plain(bic)) ?? codes.get(plain(bic.slice(0, 8)))
}

/** The head office may be written as XXX or left out. */
function plain(bic: string): string {
  return bic.toUpperCase().replace(/^(.{8})XXX$/, '$1')
}
