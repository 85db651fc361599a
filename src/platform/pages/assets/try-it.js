// "Try it" in the documentation: signs with the reader's own key, which stays in this browser, and shows the result in
// place. The code that signs is the SDK's own.
import { escapedString } from '../docs/sdk/canonical.ts'
import { md5 } from '../docs/sdk/md5.ts'
import { signRsa } from '../docs/sdk/rsa.ts'

const form = document.querySelector('.try form[method=post]')
const result = document.querySelector('#result')
const field = (id) => document.getElementById(id)

/** These functions read fields as the server does, because browser and server must sign the same body. */
const readers = {
  integer: toNumber,
  merNo: toNumber,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  object: toJson,
  list: toJson,
}

function toNumber(text) {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

function toJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function bodyOf() {
  const filled = [...form.querySelectorAll('[data-type]')].filter(({ value }) => value !== '')
  return Object.fromEntries(
    filled.map(({ name, value, dataset }) => {
      const read = readers[dataset.type]
      return [name.replace('f.', ''), read ? read(value) : value]
    }),
  )
}

async function signBy(key) {
  form.elements['f.merNo'].value = field('own-number').value.trim()
  const body = bodyOf()
  if (key.includes('-----BEGIN')) return signRsa(key, escapedString(body))
  const { signed, signedLonger } = form.dataset
  const isLonger = signedLonger && (body[signedLonger.split(' ').at(-1)] ?? '') !== ''
  const names = (isLonger ? signedLonger : signed).split(' ')
  return md5(names.map((name) => String(body[name] ?? '')).join('') + key)
}

async function send(event) {
  event.preventDefault()
  const button = event.submitter ?? form.querySelector('button')
  if (button.getAttribute('aria-disabled') === 'true') return
  button.setAttribute('aria-disabled', 'true')
  try {
    await sendOnce()
  } catch (error) {
    say(`The request was not sent: ${error.message}`)
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

async function sendOnce() {
  const isOwn = form.elements.by.value === 'own'
  const key = field('own-key').value.trim()
  if (isOwn && (key === '' || field('own-number').value.trim() === ''))
    return say('Enter your merchant number and your key above.')
  form.elements['f.sign'].value = isOwn ? await signBy(key) : ''
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  result.replaceChildren(...(page.querySelector('#result')?.childNodes ?? []))
  for (const name of ['f.merOrderNo', 'f.merRefundNo']) takeNumber(page, name)
  result.dispatchEvent(new Event('result', { bubbles: true }))
  result.focus()
  result.scrollIntoView({ block: 'nearest' })
}

/** Takes the number for the next request from the page. The server gives a new number if the last one is used up. */
function takeNumber(page, name) {
  const next = page.querySelector(`[name="${name}"]`)
  if (next && form.elements[name]) form.elements[name].value = next.value
}

function say(text) {
  const paragraph = document.createElement('p')
  paragraph.className = 'bad'
  paragraph.textContent = text
  result.replaceChildren(paragraph)
  result.focus()
}

form.addEventListener('submit', send)
