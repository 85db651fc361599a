// What a browser with scripts gains: the step to the bank and the way back happen by themselves. All works without.

const [navigation] = performance.getEntriesByType('navigation')
const form = document.querySelector('form[data-auto-submit]')
const link = document.querySelector('a[data-auto-return]')
const timer = document.querySelector('[data-timer]')

// Whoever came here by the back button wants to be here.
if (navigation?.type !== 'back_forward') {
  if (form) form.submit()
  if (link && timer) returnAfter(Number(link.dataset.autoReturn))
}

function returnAfter(seconds) {
  if (seconds <= 0) {
    location.assign(link.href)
    return
  }
  timer.textContent = `You return to the shop in ${seconds} s.`
  setTimeout(returnAfter, 1000, seconds - 1)
}
