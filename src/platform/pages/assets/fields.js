// Formats and checks form fields, and prevents double submission. The forms also work without script.

const brands = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/],
  ['amex', /^3[47]/],
  ['jcb', /^35/],
  ['diners', /^3(0[0-5]|[689])/],
  ['unionpay', /^(62|81)/],
  ['discover', /^6(011|4[4-9]|5)/],
]

const digitsOf = (text) => text.replace(/\D/g, '')

function brandOf(number) {
  return brands.find(([, pattern]) => pattern.test(number))?.[0] ?? ''
}

function groupNumber(number) {
  const pattern = /^3[47]/.test(number) ? /^(.{1,4})(.{1,6})?(.+)?/ : /(.{1,4})/g
  const parts = pattern.global ? number.match(pattern) : number.match(pattern)?.slice(1).filter(Boolean)
  return parts?.join(' ') ?? ''
}

/** 829, 8/29, 08/29 and 08/2029 all become 08/29. */
function formatExpiry(text) {
  const typed = text.replace(/^([2-9])/, '0$1').replace(/^1\s*\/$/, '01/')
  const digits = digitsOf(typed)
  const [month, year] = [digits.slice(0, 2), digits.slice(2)]
  if (year === '') return month + (/^\d\d\/$/.test(typed) ? '/' : '')
  return `${month}/${/^20\d/.test(year) ? year.slice(0, 4).replace(/^20(\d\d)$/, '$1') : year.slice(0, 2)}`
}

/** Formats the value while typing and keeps the cursor after the same digit. */
function format(input, formatted) {
  if (formatted === input.value) return
  const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length
  const atEnd = input.selectionStart === input.value.length
  input.value = formatted
  let at = 0
  for (let seen = 0; seen < digitsBefore && at < formatted.length; at += 1)
    if (/\d/.test(formatted[at])) seen += 1
  if (document.activeElement === input)
    input.setSelectionRange(atEnd ? formatted.length : at, atEnd ? formatted.length : at)
}

const formats = {
  cardNo(input) {
    const number = digitsOf(input.value).slice(0, 19)
    format(input, groupNumber(number))
    const marks = input.parentElement.querySelector('.brands')
    if (marks) marks.dataset.brand = brandOf(number)
  },
  cardExpiry: (input) => format(input, formatExpiry(input.value)),
  cardSecurityCode: (input) => format(input, digitsOf(input.value).slice(0, 4)),
}

/** A security code has four digits, on the front, on American Express. On other cards it has three, on the back. */
function codeProblem(text, { form }) {
  const isAmex = brandOf(digitsOf(form.elements.cardNo.value)) === 'amex'
  if (isAmex) return /^\d{4}$/.test(text) ? undefined : 'securityCodeInFront'
  return /^\d{3}$/.test(text) ? undefined : 'securityCode'
}

function isLuhn(number) {
  let sum = 0
  for (let at = 0; at < number.length; at += 1) {
    const digit = Number(number[number.length - 1 - at]) * (at % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

function expiryProblem(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(text) ?? []
  if (month === undefined) return 'expiry'
  return new Date(2000 + Number(year), Number(month), 2) < new Date() ? 'expired' : undefined
}

const checks = {
  cardNo: (text) => (/^\d{12,19}$/.test(digitsOf(text)) && isLuhn(digitsOf(text)) ? undefined : 'cardNumber'),
  cardExpiry: expiryProblem,
  cardSecurityCode: codeProblem,
}

/** The name of the problem, if any. The server checks again. */
function problemOf(input) {
  const text = input.value.trim()
  if (text === '') return input.required ? 'missing' : undefined
  const check = checks[input.dataset.check]
  if (check) return check(text, input)
  return input.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? 'email' : undefined
}

function showProblem(input, text) {
  const element = document.getElementById(`${input.id}-problem`)
  if (!element) return
  element.textContent = text ?? ''
  if (text) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
}

/** Another field decides whether the input is required. A country without postal codes hides the postal code. */
function updateRequired(input, field) {
  const optionalValues = input.dataset.optionalIn.split(' ')
  const update = () => {
    input.required = !optionalValues.includes(field.value)
    input.closest('.cell').hidden = !input.required
    if (!input.required) showProblem(input, '')
  }
  field.addEventListener('change', update)
  update()
}

function watchForm(form) {
  const words = JSON.parse(form.dataset.problems)
  const inputs = [...form.elements].filter((element) => element.matches('input:not([type=hidden]), select'))
  const check = (input) => showProblem(input, words[problemOf(input)])
  // We show our own messages at the fields instead of the browser's.
  form.noValidate = true
  for (const input of inputs) {
    const reformat = formats[input.dataset.check]
    if (reformat) input.addEventListener('input', () => reformat(input))
    input.addEventListener('input', () => input.hasAttribute('aria-invalid') && showProblem(input, ''))
    // A field is checked when the payer leaves it. An empty field is no mistake yet. A new card number also checks the
    // security code, because the length of the code depends on the number.
    const { cardSecurityCode } = form.elements
    const checked = input.dataset.check === 'cardNo' && cardSecurityCode ? [input, cardSecurityCode] : [input]
    input.addEventListener('change', () => checked.filter(({ value }) => value.trim() !== '').forEach(check))
    if (input.dataset.decidedBy) updateRequired(input, form.elements[input.dataset.decidedBy])
    if (form.dataset.checkAt) input.addEventListener('change', () => askServer(form, inputs))
  }
  form.addEventListener('submit', (event) => {
    for (const input of inputs) check(input)
    const wrong = inputs.find((input) => input.hasAttribute('aria-invalid'))
    if (!wrong) return
    event.preventDefault()
    event.stopImmediatePropagation()
    wrong.focus()
  })
}

async function askServer(form, inputs) {
  const body = new URLSearchParams(new FormData(form))
  const response = await fetch(form.dataset.checkAt, { method: 'POST', body }).catch(() => undefined)
  if (!response?.ok) return
  const { problems = {} } = await response.json()
  for (const input of inputs) if (input.value.trim() !== '') showProblem(input, problems[input.name])
}

/**
 * What the payer typed stays in this tab, so that the form is filled in after a decline. The server never sends it
 * back, because others may have the page's link. Card data and personal numbers are not kept. The page of the result
 * forgets everything.
 */
const kept = {
  key: `entered ${/\/pay\/([^/]+)/.exec(location.pathname)?.[1]}`,
  fields: [...document.querySelectorAll('[data-kept]')],
  keep() {
    // Pages without the form, such as the bank's challenge, must not erase what was typed.
    if (this.fields.length === 0) return
    const entered = Object.fromEntries(this.fields.map(({ id, value }) => [id, value]))
    try {
      sessionStorage.setItem(this.key, JSON.stringify(entered))
    } catch {} // This browser stores nothing in frames of other sites.
  },
  fillIn() {
    try {
      const entered = JSON.parse(sessionStorage.getItem(this.key) ?? '{}')
      for (const field of this.fields) if (field.value === '') field.value = entered[field.id] ?? ''
    } catch {} // The same browsers read nothing.
  },
  forget() {
    try {
      sessionStorage.removeItem(this.key)
    } catch {} // Such a browser has kept nothing.
  },
}

const offline = document.querySelector('template[data-offline]')

/**
 * Holds back a form while the browser is offline, because the browser would replace the page and lose what was typed.
 * Nothing was sent, so the button of the message submits the same form, as soon as the browser is online or the gateway
 * answers. Returns true if the form is held back.
 */
function holdWhileOffline(form, event) {
  document.querySelector('form .note')?.remove()
  const { reached } = form.dataset
  delete form.dataset.reached
  if (navigator.onLine || !offline || reached) return false
  event.preventDefault()
  const note = offline.content.firstElementChild.cloneNode(true)
  const retry = note.querySelector('button')
  retry.addEventListener('click', async () => {
    const isReached = () =>
      fetch(location.href, { method: 'HEAD', redirect: 'manual' }).then(
        () => true,
        () => false,
      )
    if (!navigator.onLine && !(await isReached())) return
    form.dataset.reached = 'yes'
    form.requestSubmit(event.submitter)
  })
  form.querySelector('button').before(note)
  retry.focus()
  return true
}

/** Prevents double submission. Returning by the back button, or a reset, enables the form again. */
function preventDoubleSubmit(form) {
  const button = form.querySelector('button')
  const label = button.textContent
  form.addEventListener('submit', (event) => {
    if (button.getAttribute('aria-disabled') === 'true') return event.preventDefault()
    kept.keep()
    if (holdWhileOffline(form, event)) return
    button.setAttribute('aria-disabled', 'true')
    if (form.dataset.busy) button.textContent = form.dataset.busy
  })
  const enable = () => {
    button.removeAttribute('aria-disabled')
    button.textContent = label
  }
  addEventListener('pageshow', enable)
  form.addEventListener('reset', enable)
}

kept.fillIn()
if (document.querySelector('[data-forget]')) kept.forget()
for (const form of document.querySelectorAll('form[data-problems]')) watchForm(form)
for (const form of document.querySelectorAll('form[method=post]')) preventDoubleSubmit(form)
document.querySelector('[aria-invalid=true]')?.focus()
