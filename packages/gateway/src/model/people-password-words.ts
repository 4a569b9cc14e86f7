/**
 * The most common words in passwords of twelve and more characters, from published analyses of leaks. A password made
 * only of these, digits and keyboard runs is refused.
 */
export const commonWords: readonly string[] = `
password passw0rd passwort passwords contrasena motdepasse parola senha wachtwoord haslo salasana
admin administrator root user username login signin letmein letme welcome welkom bienvenido willkommen benvenuto
default changeme changeit change secret supersecret topsecret private access allow guest test testing tester temp temporary demo
sample example master superuser super manager system server service support backup database oracle cisco
company business office work computer internet network wireless wifi router google facebook twitter instagram linkedin youtube
microsoft windows apple iphone android samsung nokia motorola playstation nintendo pokemon minecraft fortnite roblox
qwerty qwertz azerty asdf zxcv qazwsx iloveyou iloveu loveyou iloveme love lover lovers forever always together
princess prince queen king angel angels baby babygirl babyboy sweet sweetie sweetheart honey sugar darling beautiful
sunshine moonlight starlight summer winter spring autumn january february march april june july august september
october november december monday tuesday wednesday thursday friday saturday sunday morning evening night
football baseball basketball soccer hockey tennis golf rugby cricket liverpool chelsea arsenal barcelona realmadrid manchester
united juventus bayern yankees lakers cowboys steelers eagles packers patriots redsox rangers
dragon monkey tiger lion eagle shark butterfly dolphin elephant chicken turtle rabbit kitty hellokitty puppy doggie
chocolate cookie cookies banana cherry orange peanut pepper cheese coffee pizza strawberry
batman superman spiderman starwars startrek skywalker darthvader yoda gandalf matrix harrypotter pikachu naruto sasuke goku
michael michelle jennifer jessica jordan ashley daniel andrew joshua matthew anthony christopher christian
nicole amanda samantha elizabeth victoria alexander alexandra charlie thomas robert william richard joseph
metallica slipknot nirvana eminem linkinpark greenday blink beatles bobmarley
jesus christ jesuschrist god godislove blessed faith hope heaven church bible
america american canada london paris madrid berlin moscow mexico brazil india china japan
freedom liberty peace happy happiness lucky magic money dollar diamond gold golden silver platinum rainbow flower flowers
mother father mommy daddy brother sister family friend friends bestfriend
hello hola bonjour hallo ciao goodbye hunter killer warrior ninja samurai pirate ranger soldier trustno one
whatever nothing something anything everything nobody because please thankyou thanks
qwer asdfg zxcvb abc abcd abcde xyz correcthorsebatterystaple
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
