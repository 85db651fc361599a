// What a browser with scripts gains beside its fields (fields.js): buttons that copy, a countdown, a page that changes when
// the payment does, and steps that happen by themselves. All works without.

const root = document.documentElement
const [navigation] = performance.getEntriesByType('navigation')
// Whoever came here by the back button wants to be here.
const isBack = navigation?.type === 'back_forward'

root.classList.add('js')

// Copying

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy).catch(() => copyBySelection(button.dataset.copy))
  const [text, label] = [button.textContent, button.getAttribute('aria-label')]
  if (button.classList.contains('copied')) return
  button.textContent = button.dataset.done
  button.removeAttribute('aria-label')
  button.classList.add('copied')
  setTimeout(() => {
    button.textContent = text
    if (label) button.setAttribute('aria-label', label)
    button.classList.remove('copied')
  }, 2000)
}

/** For pages that are not served securely, as in tests, where the clipboard is closed. */
function copyBySelection(text) {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', () => copy(button))

// Time

const HOURS_TO_COUNT = 3

function showDeadline(place) {
  const { until, left, over } = place.dataset
  const seconds = Math.floor((new Date(until) - Date.now()) / 1000)
  if (seconds <= 0) {
    place.textContent = over
    return
  }
  if (seconds <= HOURS_TO_COUNT * 3600) place.textContent = left.replace('{}', clock(seconds))
  setTimeout(showDeadline, 1000, place)
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}

/** In the payer's own zone, which is named: what the server wrote was in UTC. */
function localMoment(text) {
  const locale = root.lang === 'ar' ? 'ar-u-nu-latn' : root.lang
  const parts = { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }
  return new Intl.DateTimeFormat(locale, parts).format(new Date(text))
}

for (const place of document.querySelectorAll('time[datetime]'))
  place.textContent = localMoment(place.dateTime)

for (const place of document.querySelectorAll('[data-until]')) showDeadline(place)

// Live: the page carries the mark it was made for, and loads itself again when it hears of another.

const { mark, events, status } = document.body.dataset
const POLL_MS = 3000

function heed(told) {
  if (told !== undefined && told !== mark) location.replace(location.pathname)
}

function listen() {
  const source = new EventSource(events)
  source.onmessage = ({ data }) => heed(JSON.parse(data).mark)
  source.onerror = () => {
    source.close()
    setTimeout(poll, POLL_MS)
  }
}

async function poll() {
  const answer = await fetch(status ?? location.pathname, { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) heed(status ? (await answer.json()).mark : markIn(await answer.text()))
  setTimeout(poll, POLL_MS)
}

/** A page without its own place for the status is asked for as a whole. */
function markIn(page) {
  return new DOMParser().parseFromString(page, 'text/html').body.dataset.mark ?? ''
}

if (mark !== undefined) {
  if (events) listen()
  else setTimeout(poll, POLL_MS)
}

// Steps that happen by themselves

const auto = document.querySelector('form[data-auto-submit]')
const go = document.querySelector('a[data-auto-go]')
const link = document.querySelector('a[data-auto-return]')
const timer = document.querySelector('[data-timer]')
const stay = document.querySelector('[data-stay]')

function returnAfter(seconds) {
  if (stay.hidden) return
  if (seconds <= 0) {
    location.assign(link.href)
    return
  }
  timer.textContent = timer.dataset.timer.replace('{}', seconds)
  setTimeout(returnAfter, 1000, seconds - 1)
}

function stayHere() {
  stay.hidden = true
  timer.textContent = ''
  link.focus()
}

if (!isBack && auto) auto.requestSubmit()
if (!isBack && go) go.click()
if (!isBack && link && timer && stay) {
  stay.hidden = false
  stay.addEventListener('click', stayHere)
  returnAfter(Number(link.dataset.autoReturn))
}
