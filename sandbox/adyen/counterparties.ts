// Checks the counterparty of a transfer as Adyen does: fields, lengths and characters by category and kind of account.
import type { Fields } from '../../src/platform/base/object.ts'
import { invalid, objectIn, textIn } from './checked-fields.ts'
import type { StoredCards } from './stored-cards.ts'

export function checkCounterparty(body: Fields, cards: StoredCards): void {
  const counterparty = objectIn(body, 'counterparty')
  if (body.category === 'card') checkCard(objectIn(counterparty, 'card'), cards)
  else {
    textIn(body, 'priority', /^(regular|fast|instant|wire|crossBorder)$/)
    const account = objectIn(counterparty, 'bankAccount')
    textIn(objectIn(account, 'accountHolder'), 'fullName', /^[A-Za-z0-9,.;:\-—/\\+&!?@()"' ]+$/)
    checkIdentification(objectIn(account, 'accountIdentification'), body)
  }
}

function checkIdentification(account: Fields, body: Fields): void {
  const type = textIn(account, 'type', /^(iban|numberAndBic|brLocal)$/)
  const longest = type === 'iban' ? 35 : 15
  const { referenceForBeneficiary = 'none' } = body
  if (!new RegExp(`^[A-Za-z0-9]{1,${longest}}$`).test(String(referenceForBeneficiary)))
    throw invalid('referenceForBeneficiary')
  if (type === 'iban') textIn(account, 'iban', /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/)
  else if (type === 'brLocal') checkBrazilian(account, body)
  else {
    textIn(account, 'accountNumber', /^[A-Za-z0-9]{4,34}$/)
    textIn(account, 'bic', /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/)
  }
}

function checkBrazilian(account: Fields, body: Fields): void {
  textIn(account, 'bankCode', /^\d{3}$/)
  textIn(account, 'branchNumber', /^\d{1,4}$/)
  textIn(account, 'accountNumber', /^\d{1,10}$/)
  if (account.ispb !== undefined) textIn(account, 'ispb', /^\d{8}$/)
  // Brazilian account details are only for domestic transfers in BRL.
  if (objectIn(body, 'amount').currency !== 'BRL' || body.priority === 'crossBorder')
    throw invalid('accountIdentification')
}

function checkCard(card: Fields, cards: StoredCards): void {
  const holder = objectIn(card, 'cardHolder')
  for (const name of ['firstName', 'lastName']) textIn(holder, name, /^[A-Za-z\-./— ]+$/)
  textIn(holder, 'type', /^individual$/)
  const shopper = textIn(holder, 'reference', /^.{1,150}$/)
  const id = textIn(objectIn(card, 'cardIdentification'), 'storedPaymentMethodId')
  if (!cards.has(shopper, id)) throw invalid('storedPaymentMethodId')
}
