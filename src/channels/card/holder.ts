// The card holder and the addresses, from the fields of the merchant's request. Issuers decide by them whether a challenge is
// needed, and decline less. JSON leaves out undefined fields.
import type { Fields } from '../../base/object.ts'
import { given } from './three-d-secure.ts'

export function holderOf(details: Fields): Fields {
  const { billingFirstName, billingLastName, billingEmail, email } = details
  return {
    name: fullName(billingFirstName, billingLastName),
    email: given(billingEmail) ?? given(email),
    phone: given(details.billingPhone),
    billing: billingOf(details),
    shipping: shippingOf(details),
  }
}

/** Undefined without a country: the payer gave no address. */
function billingOf(details: Fields): Fields | undefined {
  const country = given(details.billingCountry)
  if (country === undefined) return undefined
  return {
    line1: given(details.billingAddress1),
    line2: given(details.billingAddress2),
    city: given(details.billingCity),
    state: given(details.billingState),
    postalCode: given(details.billingZipCode),
    country,
  }
}

function shippingOf(details: Fields): Fields | undefined {
  const country = given(details.shippingCountry)
  if (country === undefined) return undefined
  return {
    name: fullName(details.shippingFirstName, details.shippingLastName),
    email: given(details.shippingEmail),
    phone: given(details.shippingPhone),
    line1: given(details.shippingAddress1),
    line2: given(details.shippingAddress2),
    city: given(details.shippingCity),
    state: given(details.shippingState),
    postalCode: given(details.shippingZipCode),
    country,
  }
}

function fullName(first: unknown, last: unknown): unknown {
  const [firstName, lastName] = [given(first), given(last)]
  if (firstName === undefined) return lastName
  return lastName === undefined ? firstName : `${firstName} ${lastName}`
}
