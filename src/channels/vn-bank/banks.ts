// The banks of Vietnam's interbank network, by their six-digit NAPAS numbers.
import { Banks } from 'vietnam-qr-pay'
import type { Fields } from '../traits.ts'

export type VnBank = { readonly bin: string; readonly name: string; readonly bic: string | undefined }

/** Some numbers are listed twice after a takeover: the bank that also sends transfers wins. */
const byBin: ReadonlyMap<string, VnBank> = new Map(
  Banks.filter(({ bin, deprecated }) => bin !== '' && deprecated !== true)
    .sort((one, other) => one.vietQRStatus - other.vietQRStatus)
    .map(({ bin, shortName, swiftCode }) => [bin, { bin, name: shortName, bic: swiftCode || undefined }]),
)

export const vnBanks: readonly VnBank[] = [...byBin.values()].sort((one, other) =>
  one.name.localeCompare(other.name, 'en'),
)

/** Merchants send a number; the counterparty returns it as text. */
export function chosenBank({ vaBankId }: Fields): VnBank | undefined {
  return typeof vaBankId === 'number' || typeof vaBankId === 'string'
    ? byBin.get(String(vaBankId))
    : undefined
}
