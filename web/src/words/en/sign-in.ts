export const signIn = {
  title: 'Sign in',
  again: 'Your session has ended',
  againHint: 'Sign in to go on. What you typed is kept.',
  confirm: 'Confirm that it is you',
  email: 'E-mail address',
  password: 'Password',
  action: 'Sign in',
  other: 'Sign in as somebody else',
}
