// The customer of the shop. A real shop asks its customers for these details. This shop fills them in.
import { html } from '../src/platform/pages/page.ts'

const address = {
  FirstName: 'Demo',
  LastName: 'Payer',
  Address1: '1 Example Street',
  City: 'Austin',
  State: 'TX',
  Country: 'US',
  ZipCode: '78701',
  Phone: '15125550100',
  Email: 'payer@example.com',
} as const

export const customer = { userId: 'demo-payer', email: address.Email } as const

export const billing = {
  billingFirstName: address.FirstName,
  billingLastName: address.LastName,
  billingAddress1: address.Address1,
  billingCity: address.City,
  billingState: address.State,
  billingCountry: address.Country,
  billingZipCode: address.ZipCode,
  billingPhone: address.Phone,
  billingEmail: address.Email,
} as const

export const shipping = {
  shippingFirstName: address.FirstName,
  shippingLastName: address.LastName,
  shippingAddress1: address.Address1,
  shippingCity: address.City,
  shippingState: address.State,
  shippingCountry: address.Country,
  shippingZipCode: address.ZipCode,
  shippingPhone: address.Phone,
  shippingEmail: address.Email,
} as const

export const shownAddress = html`${address.FirstName} ${address.LastName}<br>${address.Address1}<br>${address.City}, ${address.State} ${address.ZipCode}`
