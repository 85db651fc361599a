// Maps a beneficiary's account to the fields of Adyen's transfers.
import { isBic, isIban, normaliseIban } from '../../../platform/base/iban.ts'
import type { Fields } from '../../../platform/base/object.ts'

type Account = {
  readonly identification: Fields
  readonly isIban: boolean
  readonly priority: Priority
}

type Priority = 'regular' | 'crossBorder'

/** Returns Adyen's fields for the account. Undefined if Adyen cannot pay to the account. */
export function accountOf(account: string, { bankCode }: Fields, currency: string): Account | undefined {
  const iban = normaliseIban(account)
  if (isIban(iban)) return currency === 'BRL' ? brazilian(iban) : byIban(iban, currency)
  if (typeof bankCode !== 'string' || !isBic(bankCode)) return undefined
  const accountNumber = account.replace(/[ -]/g, '')
  const identification = { type: 'numberAndBic', accountNumber, bic: bankCode }
  return { identification, isIban: false, priority: 'crossBorder' }
}

function byIban(iban: string, currency: string): Account {
  const priority = currency === 'EUR' ? 'regular' : 'crossBorder'
  return { identification: { type: 'iban', iban }, isIban: true, priority }
}

/**
 * Returns the local account for a Brazilian IBAN, because banks in Brazil do not accept IBANs. The IBAN consists of
 * bank, branch, account with check digit, type and owner. Undefined for other IBANs, for banks outside `bankNumbers`,
 * and for branches whose first digit is not 0.
 */
function brazilian(iban: string): Account | undefined {
  const [, ispb = '', branch = '', accountNumber] =
    /^BR\d\d(\d{8})(\d{5})(\d{10})[A-Z][A-Z0-9]$/.exec(iban) ?? []
  const bankCode = bankNumbers.get(ispb)
  // A branch number has four digits. In an IBAN, a leading 0 makes it five.
  if (bankCode === undefined || accountNumber === undefined || !branch.startsWith('0')) return undefined
  const identification = { type: 'brLocal', bankCode, branchNumber: branch.slice(1), accountNumber, ispb }
  return { identification, isIban: false, priority: 'regular' }
}

// The three-digit codes of Brazilian banks, by ISPB (the central bank's code of the bank). A Brazilian IBAN contains
// the ISPB, but Adyen requires the three-digit code. The rail cannot pay to the IBAN of a bank that is not listed.
const bankNumbers: ReadonlyMap<string, string> = new Map([
  ['00000000', '001'],
  ['00000208', '070'],
  ['00315557', '136'],
  ['00360305', '104'],
  ['00416968', '077'],
  ['01181521', '748'],
  ['02038232', '756'],
  ['04902979', '003'],
  ['04913711', '037'],
  ['05463212', '085'],
  ['07237373', '004'],
  ['08561701', '290'],
  ['09089356', '364'],
  ['10264663', '081'],
  ['10573521', '323'],
  ['10664513', '121'],
  ['13009717', '047'],
  ['16501555', '197'],
  ['17184037', '389'],
  ['18236120', '260'],
  ['19540550', '461'],
  ['22896431', '380'],
  ['27098060', '335'],
  ['28127603', '021'],
  ['28195667', '246'],
  ['30306294', '208'],
  ['30723886', '746'],
  ['31872495', '336'],
  ['33264668', '348'],
  ['33479023', '745'],
  ['37880206', '403'],
  ['58160789', '422'],
  ['59285411', '623'],
  ['59588111', '655'],
  ['60701190', '341'],
  ['60746948', '237'],
  ['60889128', '637'],
  ['61186680', '318'],
  ['62232889', '707'],
  ['71027866', '218'],
  ['90400888', '033'],
  ['92702067', '041'],
  ['92894922', '212'],
])
