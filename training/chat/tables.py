"""What everybody is taught at school, as tables. facts.py turns them into questions and answers."""

# country, capital, language, continent, people, currency
COUNTRIES = """
Argentina|Buenos Aires|Spanish|South America|Argentinians|the Argentine peso
Australia|Canberra|English|Australia|Australians|the Australian dollar
Austria|Vienna|German|Europe|Austrians|the euro
Bangladesh|Dhaka|Bengali|Asia|Bangladeshis|the taka
Belgium|Brussels|Dutch, French and German|Europe|Belgians|the euro
Bolivia|Sucre|Spanish|South America|Bolivians|the boliviano
Brazil|Brasilia|Portuguese|South America|Brazilians|the real
Bulgaria|Sofia|Bulgarian|Europe|Bulgarians|the euro
Cambodia|Phnom Penh|Khmer|Asia|Cambodians|the riel
Canada|Ottawa|English and French|North America|Canadians|the Canadian dollar
Chile|Santiago|Spanish|South America|Chileans|the Chilean peso
China|Beijing|Chinese|Asia|the Chinese|the yuan
Colombia|Bogota|Spanish|South America|Colombians|the Colombian peso
Croatia|Zagreb|Croatian|Europe|Croats|the euro
Cuba|Havana|Spanish|North America|Cubans|the Cuban peso
the Czech Republic|Prague|Czech|Europe|Czechs|the Czech crown
Denmark|Copenhagen|Danish|Europe|Danes|the Danish krone
Ecuador|Quito|Spanish|South America|Ecuadorians|the US dollar
Egypt|Cairo|Arabic|Africa|Egyptians|the Egyptian pound
Estonia|Tallinn|Estonian|Europe|Estonians|the euro
Ethiopia|Addis Ababa|Amharic|Africa|Ethiopians|the birr
Finland|Helsinki|Finnish and Swedish|Europe|Finns|the euro
France|Paris|French|Europe|the French|the euro
Germany|Berlin|German|Europe|Germans|the euro
Ghana|Accra|English|Africa|Ghanaians|the cedi
Greece|Athens|Greek|Europe|Greeks|the euro
Hungary|Budapest|Hungarian|Europe|Hungarians|the forint
Iceland|Reykjavik|Icelandic|Europe|Icelanders|the Icelandic krona
India|New Delhi|Hindi, English and many others|Asia|Indians|the rupee
Indonesia|Jakarta|Indonesian|Asia|Indonesians|the rupiah
Iran|Tehran|Persian|Asia|Iranians|the rial
Iraq|Baghdad|Arabic and Kurdish|Asia|Iraqis|the dinar
Ireland|Dublin|English and Irish|Europe|the Irish|the euro
Israel|Jerusalem|Hebrew|Asia|Israelis|the shekel
Italy|Rome|Italian|Europe|Italians|the euro
Jamaica|Kingston|English|North America|Jamaicans|the Jamaican dollar
Japan|Tokyo|Japanese|Asia|the Japanese|the yen
Jordan|Amman|Arabic|Asia|Jordanians|the dinar
Kenya|Nairobi|Swahili and English|Africa|Kenyans|the shilling
Latvia|Riga|Latvian|Europe|Latvians|the euro
Lebanon|Beirut|Arabic|Asia|the Lebanese|the Lebanese pound
Lithuania|Vilnius|Lithuanian|Europe|Lithuanians|the euro
Luxembourg|Luxembourg City|Luxembourgish, French and German|Europe|Luxembourgers|the euro
Malaysia|Kuala Lumpur|Malay|Asia|Malaysians|the ringgit
Malta|Valletta|Maltese and English|Europe|the Maltese|the euro
Mexico|Mexico City|Spanish|North America|Mexicans|the Mexican peso
Mongolia|Ulaanbaatar|Mongolian|Asia|Mongolians|the tugrik
Morocco|Rabat|Arabic|Africa|Moroccans|the dirham
Nepal|Kathmandu|Nepali|Asia|the Nepalese|the Nepalese rupee
the Netherlands|Amsterdam|Dutch|Europe|the Dutch|the euro
New Zealand|Wellington|English and Maori|Oceania|New Zealanders|the New Zealand dollar
Nigeria|Abuja|English|Africa|Nigerians|the naira
Norway|Oslo|Norwegian|Europe|Norwegians|the Norwegian krone
Pakistan|Islamabad|Urdu|Asia|Pakistanis|the Pakistani rupee
Peru|Lima|Spanish|South America|Peruvians|the sol
the Philippines|Manila|Filipino and English|Asia|Filipinos|the Philippine peso
Poland|Warsaw|Polish|Europe|Poles|the zloty
Portugal|Lisbon|Portuguese|Europe|the Portuguese|the euro
Romania|Bucharest|Romanian|Europe|Romanians|the leu
Russia|Moscow|Russian|Europe and Asia|Russians|the rouble
Saudi Arabia|Riyadh|Arabic|Asia|Saudis|the riyal
Senegal|Dakar|French|Africa|the Senegalese|the CFA franc
Serbia|Belgrade|Serbian|Europe|Serbs|the dinar
Slovakia|Bratislava|Slovak|Europe|Slovaks|the euro
Slovenia|Ljubljana|Slovene|Europe|Slovenes|the euro
South Africa|Pretoria|English, Zulu, Afrikaans and others|Africa|South Africans|the rand
South Korea|Seoul|Korean|Asia|South Koreans|the won
Spain|Madrid|Spanish|Europe|Spaniards|the euro
Sri Lanka|Colombo|Sinhala and Tamil|Asia|Sri Lankans|the Sri Lankan rupee
Sweden|Stockholm|Swedish|Europe|Swedes|the Swedish krona
Switzerland|Bern|German, French, Italian and Romansh|Europe|the Swiss|the Swiss franc
Thailand|Bangkok|Thai|Asia|Thais|the baht
Tunisia|Tunis|Arabic|Africa|Tunisians|the dinar
Turkey|Ankara|Turkish|Asia and Europe|Turks|the lira
Ukraine|Kyiv|Ukrainian|Europe|Ukrainians|the hryvnia
the United Kingdom|London|English|Europe|the British|the pound
the United States|Washington, D.C.|English|North America|Americans|the US dollar
Uruguay|Montevideo|Spanish|South America|Uruguayans|the Uruguayan peso
Venezuela|Caracas|Spanish|South America|Venezuelans|the bolivar
Vietnam|Hanoi|Vietnamese|Asia|the Vietnamese|the dong
"""

# city, country
CITIES = """
Barcelona|Spain
Munich|Germany
Hamburg|Germany
Milan|Italy
Venice|Italy
Florence|Italy
Naples|Italy
Lyon|France
Marseille|France
Nice|France
Manchester|England, in the United Kingdom
Edinburgh|Scotland, in the United Kingdom
New York|the United States
Chicago|the United States
Los Angeles|the United States
Boston|the United States
Miami|the United States
Toronto|Canada
Vancouver|Canada
Montreal|Canada
Sydney|Australia
Melbourne|Australia
Osaka|Japan
Kyoto|Japan
Shanghai|China
Hong Kong|China
Mumbai|India
Kolkata|India
Rio de Janeiro|Brazil
Sao Paulo|Brazil
Istanbul|Turkey
Saint Petersburg|Russia
Krakow|Poland
Porto|Portugal
Seville|Spain
Valencia|Spain
Geneva|Switzerland
Zurich|Switzerland
Salzburg|Austria
Rotterdam|the Netherlands
Antwerp|Belgium
Gothenburg|Sweden
Casablanca|Morocco
Cape Town|South Africa
Johannesburg|South Africa
Lagos|Nigeria
Alexandria|Egypt
Dubai|the United Arab Emirates
Karachi|Pakistan
Busan|South Korea
"""

OPPOSITES = """
large|small
tall|short
long|short
fast|slow
quick|slow
happy|sad
good|bad
new|old
young|old
warm|cool
cold|hot
light|dark
heavy|light
strong|weak
hard|soft
difficult|easy
full|empty
open|closed
clean|dirty
dry|wet
rich|poor
cheap|expensive
loud|quiet
noisy|quiet
early|late
first|last
high|low
deep|shallow
wide|narrow
thick|thin
near|far
left|right
up|down
inside|outside
above|below
before|after
always|never
love|hate
begin|end
start|stop
buy|sell
give|take
push|pull
win|lose
arrive|leave
remember|forget
laugh|cry
true|false
right|wrong
safe|dangerous
brave|afraid
polite|rude
kind|cruel
smooth|rough
sharp|blunt
sweet|bitter
alive|dead
awake|asleep
ancient|modern
simple|complicated
possible|impossible
day|night
summer|winter
north|south
east|west
war|peace
friend|enemy
question|answer
question mark|full stop
increase|decrease
accept|refuse
success|failure
maximum|minimum
public|private
generous|stingy
lazy|hard-working
bright|dim
fresh|stale
guilty|innocent
"""

PLURALS = """
child|children
man|men
woman|women
foot|feet
tooth|teeth
mouse|mice
goose|geese
person|people
sheep|sheep
fish|fish
leaf|leaves
knife|knives
wolf|wolves
life|lives
city|cities
baby|babies
box|boxes
bus|buses
potato|potatoes
tomato|tomatoes
hero|heroes
story|stories
day|days
key|keys
watch|watches
deer|deer
ox|oxen
house|houses
book|books
apple|apples
"""

PAST = """
go|went
eat|ate
see|saw
take|took
give|gave
come|came
run|ran
write|wrote
speak|spoke
drive|drove
sing|sang
swim|swam
begin|began
drink|drank
think|thought
buy|bought
bring|brought
catch|caught
teach|taught
find|found
feel|felt
leave|left
keep|kept
sleep|slept
make|made
say|said
tell|told
know|knew
fly|flew
break|broke
fall|fell
forget|forgot
win|won
lose|lost
build|built
send|sent
sit|sat
stand|stood
understand|understood
hear|heard
"""

# animal, sound, young, legs
ANIMALS = """
cat|meows|a kitten|four
cow|moos|a calf|four
sheep|bleats|a lamb|four
horse|neighs|a foal|four
pig|oinks|a piglet|four
duck|quacks|a duckling|two
hen|clucks|a chick|two
lion|roars|a cub|four
wolf|howls|a pup|four
frog|croaks|a tadpole|four
owl|hoots|an owlet|two
snake|hisses|a hatchling|no
bee|buzzes|a larva|six
mouse|squeaks|a pup|four
goat|bleats|a kid|four
bear|growls|a cub|four
goose|honks|a gosling|two
spider|makes hardly any sound|a spiderling|eight
ant|makes hardly any sound|a larva|six
butterfly|makes hardly any sound|a caterpillar|six
elephant|trumpets|a calf|four
donkey|brays|a foal|four
rabbit|is mostly silent|a kit|four
kangaroo|grunts softly|a joey|
"""

# thing asked for, answer as a whole sentence
COUNTS = """
seconds are in a minute|There are 60 seconds in a minute.
weeks are in a year|There are 52 weeks in a year.
days are in a year|A year has 365 days, and a leap year has 366.
days are in a leap year|A leap year has 366 days.
days does February have|February has 28 days, and 29 in a leap year.
days does April have|April has 30 days.
days does December have|December has 31 days.
days does July have|July has 31 days.
seasons are there|There are four seasons: spring, summer, autumn and winter.
years are in a century|A century is 100 years.
years are in a decade|A decade is ten years.
years are in a millennium|A millennium is 1,000 years.
minutes are in two hours|There are 120 minutes in two hours.
hours are in two days|There are 48 hours in two days.
centimetres are in a metre|There are 100 centimetres in a metre.
metres are in a kilometre|There are 1,000 metres in a kilometre.
grams are in a kilogram|There are 1,000 grams in a kilogram.
millilitres are in a litre|There are 1,000 millilitres in a litre.
inches are in a foot|There are 12 inches in a foot.
feet are in a yard|There are three feet in a yard.
ounces are in a pound|There are 16 ounces in a pound.
letters are in the English alphabet|The English alphabet has 26 letters.
vowels are in the alphabet|There are five vowels: a, e, i, o and u.
continents are there|There are seven continents.
oceans are there|There are five oceans.
planets are in our solar system|Our solar system has eight planets.
colours are in a rainbow|A rainbow has seven colours.
sides does a triangle have|A triangle has three sides.
sides does a square have|A square has four sides.
sides does a hexagon have|A hexagon has six sides.
corners does a cube have|A cube has eight corners.
fingers do people have|Most people have ten fingers, thumbs included.
toes do people have|Most people have ten toes.
teeth do adults have|An adult usually has 32 teeth.
bones does an adult have|An adult has about 206 bones.
chambers does the heart have|The heart has four chambers.
legs does a spider have|A spider has eight legs.
legs does an insect have|An insect has six legs.
arms does an octopus have|An octopus has eight arms.
wheels does a car have|A car has four wheels.
wheels does a tricycle have|A tricycle has three wheels.
strings does a violin have|A violin has four strings.
strings does a guitar have|A guitar usually has six strings.
keys does a piano have|A full piano has 88 keys.
players are in a football team|A football team has eleven players on the field.
players are in a basketball team|A basketball team has five players on the court.
cards are in a deck|A standard deck has 52 cards.
cents are in a dollar|There are 100 cents in a dollar.
cents are in a euro|There are 100 cents in a euro.
eggs are in a dozen|A dozen is 12, so there are 12 eggs.
zeros does a million have|A million has six zeros.
degrees are in a right angle|A right angle has 90 degrees.
degrees are in a circle|A full circle has 360 degrees.
states does the United States have|The United States has 50 states.
quarters are in a whole|There are four quarters in a whole.
"""

# question, answer
FACTS = """
Who wrote Hamlet?|William Shakespeare wrote Hamlet.
Who wrote Macbeth?|Macbeth was written by William Shakespeare.
Who wrote Don Quixote?|Miguel de Cervantes wrote Don Quixote.
Who wrote Pride and Prejudice?|Jane Austen wrote Pride and Prejudice.
Who wrote Oliver Twist?|Oliver Twist was written by Charles Dickens.
Who wrote War and Peace?|Leo Tolstoy wrote War and Peace.
Who wrote 1984?|George Orwell wrote 1984.
Who wrote Harry Potter?|J. K. Rowling wrote the Harry Potter books.
Who wrote The Lord of the Rings?|J. R. R. Tolkien wrote The Lord of the Rings.
Who wrote The Little Prince?|Antoine de Saint-Exupery wrote The Little Prince.
Who painted The Starry Night?|Vincent van Gogh painted The Starry Night.
Who painted Guernica?|Pablo Picasso painted Guernica.
Who painted the ceiling of the Sistine Chapel?|Michelangelo painted it.
Who painted The Last Supper?|Leonardo da Vinci painted The Last Supper.
Which painter made the portrait called Mona Lisa?|Leonardo da Vinci painted it.
Who composed The Four Seasons?|Antonio Vivaldi composed The Four Seasons.
Who composed the Ninth Symphony with the Ode to Joy?|Ludwig van Beethoven composed it.
Who composed The Magic Flute?|Wolfgang Amadeus Mozart composed The Magic Flute.
Who invented the telephone?|Alexander Graham Bell is credited with inventing the telephone.
Who invented the light bulb?|Thomas Edison made the first practical light bulb.
Who invented the printing press?|Johannes Gutenberg invented the printing press in Europe.
Who discovered penicillin?|Alexander Fleming discovered penicillin.
Who discovered gravity?|Isaac Newton described gravity.
Who developed the theory of relativity?|Albert Einstein developed the theory of relativity.
Who was the first person on the Moon?|Neil Armstrong was the first person to walk on the Moon, in 1969.
Who was the first person in space?|Yuri Gagarin was the first person in space, in 1961.
Who was the first president of the United States?|George Washington was the first president of the United States.
Who sailed to America in 1492?|Christopher Columbus reached America in 1492.
When did the Second World War end?|The Second World War ended in 1945.
When did the First World War begin?|The First World War began in 1914.
When did the Berlin Wall fall?|The Berlin Wall fell in 1989.
When was the French Revolution?|The French Revolution began in 1789.
What is the largest planet?|Jupiter is the largest planet in our solar system.
What is the smallest planet?|Mercury is the smallest planet.
Which planet is closest to the Sun?|Mercury is closest to the Sun.
Which planet is the hottest?|Venus is the hottest planet.
Which planet has big rings?|Saturn has big rings.
Which planet is called the red planet?|Mars is called the red planet.
Which planet are we living on?|We live on the planet Earth.
What is our galaxy called?|Our galaxy is called the Milky Way.
What is the Sun?|The Sun is a star.
Is the Moon a planet?|No, the Moon goes around the Earth, so it is a natural satellite.
How long does the Earth take to go around the Sun?|About 365 days, which is one year.
How far away is the Moon?|The Moon is about 384,000 kilometres away.
What is the biggest animal in the world?|The blue whale is the biggest animal in the world.
What is the largest land animal?|The African elephant is the largest land animal.
What is the fastest land animal?|The cheetah is the fastest land animal.
What is the tallest animal?|The giraffe is the tallest animal.
What is the largest bird?|The ostrich is the largest bird.
Which bird cannot fly but swims very well?|The penguin.
What do pandas eat?|Pandas eat mostly bamboo.
What do cows eat?|Cows eat mostly grass and hay.
What do rabbits eat?|Rabbits eat grass, hay and vegetables.
What do caterpillars turn into?|Caterpillars turn into butterflies or moths.
What do spiders make?|Spiders make webs.
What do hens lay?|Hens lay eggs.
What do cows give us?|Cows give us milk.
What do sheep give us?|Sheep give us wool and milk.
Which insects make honey?|Bees make honey.
What do plants need to grow?|Plants need light, water, air and soil.
What do plants breathe out?|Plants give off oxygen.
What gas do we need to breathe?|We need oxygen.
What is the chemical formula of water?|The formula of water is H2O.
What is water called when it is frozen?|Frozen water is called ice.
What is water called when it is a gas?|It is called steam or water vapour.
At what temperature does water freeze?|Water freezes at 0 degrees Celsius, or 32 degrees Fahrenheit.
What is the boiling point of water?|Water boils at 100 degrees Celsius, or 212 degrees Fahrenheit.
What is the normal body temperature?|About 37 degrees Celsius, or 98.6 degrees Fahrenheit.
What is the chemical symbol for gold?|The symbol for gold is Au.
What is the chemical symbol for iron?|The symbol for iron is Fe.
What is the chemical symbol for oxygen?|The symbol for oxygen is O.
What is salt made of?|Table salt is sodium chloride.
What is bread made of?|Bread is made of flour, water, yeast and a little salt.
What is cheese made from?|Cheese is made from milk.
What is wine made from?|Wine is made from grapes.
What is chocolate made from?|Chocolate is made from cocoa beans.
What is paper made from?|Paper is made from wood.
What is glass made from?|Glass is made from sand.
What is pasta made of?|Pasta is made of flour and water, often with eggs.
What is the hardest natural material?|Diamond is the hardest natural material.
What is the highest mountain on Earth?|Mount Everest is the highest mountain on Earth.
What is the highest mountain in Europe?|Mount Elbrus is the highest mountain in Europe.
What is the highest mountain in Africa?|Kilimanjaro is the highest mountain in Africa.
What is the longest river in the world?|The Nile is usually called the longest river, with the Amazon close behind.
What is the longest river in Europe?|The Volga is the longest river in Europe.
What is the biggest ocean on Earth?|The Pacific is the biggest ocean.
What is the smallest ocean?|The Arctic Ocean is the smallest.
What is the largest desert?|The largest hot desert is the Sahara.
What is the largest country?|Russia is the largest country by area.
What is the smallest country?|Vatican City is the smallest country.
What is the largest continent?|Asia is the largest continent.
What is the smallest continent?|Australia is the smallest continent.
Which country has the most people?|India has the most people, just ahead of China.
Which ocean lies between Europe and America?|The Atlantic Ocean.
Which river flows through London?|The Thames flows through London.
Which river flows through Paris?|The Seine flows through Paris.
Which river flows through Vienna?|The Danube flows through Vienna.
Which river flows through Cairo?|The Nile flows through Cairo.
Where is the Eiffel Tower?|The Eiffel Tower is in Paris.
Where is the Colosseum?|The Colosseum is in Rome.
Where is the Taj Mahal?|The Taj Mahal is in Agra, in India.
Where is the Statue of Liberty?|The Statue of Liberty is in New York.
Where are the pyramids?|The most famous pyramids are in Giza, in Egypt.
Where is Big Ben?|Big Ben is in London.
Where is the Great Wall?|The Great Wall is in China.
Where do penguins live?|Most penguins live in the south, many of them in Antarctica.
Where do polar bears live?|Polar bears live in the Arctic.
Where do kangaroos live?|Kangaroos live in Australia.
Where does the sun rise?|The sun rises in the east.
Where does the sun set?|The sun sets in the west.
What colour is a banana?|A ripe banana is yellow.
What colour is snow?|Snow is white.
What colour is blood?|Blood is red.
What colour is coal?|Coal is black.
What colour are strawberries?|Ripe strawberries are red.
What colour are carrots?|Carrots are usually orange.
What colour is the sea?|The sea looks blue or green.
What colour does the sky have without clouds?|It is blue.
What colour are leaves in summer?|Leaves are green in summer.
What colour is a stop sign?|A stop sign is red.
What colour do red and yellow make?|Red and yellow make orange.
What colour do blue and red make?|Blue and red make purple.
What colour do yellow and blue make?|Together they make green.
What colour do black and white make?|Black and white make grey.
What colour do red and white make?|Red and white make pink.
Is fire hot or cold?|Fire is hot.
Is snow hot or cold?|Snow is cold.
Is a feather heavy or light?|A feather is light.
Is the sun bigger than the earth?|Yes, the sun is much bigger than the earth.
Is a whale a fish?|No, a whale is a mammal.
Is a tomato a fruit or a vegetable?|In botany a tomato is a fruit, in the kitchen it is used as a vegetable.
Is a bat a bird?|No, a bat is a mammal that can fly.
Is the earth flat?|No, the earth is round, like a ball.
Can penguins fly?|No, penguins cannot fly, but they swim very well.
Can fish breathe under water?|Yes, fish breathe under water with their gills.
Do cats lay eggs?|No, cats have live kittens.
Which is heavier, a kilo of feathers or a kilo of iron?|They weigh the same: one kilo each.
What is the currency of Europe called?|Many countries of Europe use the euro.
What are the primary colours?|Red, yellow and blue.
What are the four seasons?|Spring, summer, autumn and winter.
Which season comes after winter?|Spring comes after winter.
Which season comes after summer?|Autumn comes after summer.
Which is the warmest season?|Summer is the warmest season.
Which month is Christmas in?|Christmas is in December.
When is Christmas?|Christmas Day is on December 25.
When is New Year's Day?|New Year's Day is on January 1.
When is Halloween?|Halloween is on October 31.
When is Valentine's Day?|Valentine's Day is on February 14.
What is the last letter of the alphabet?|The last letter of the alphabet is Z.
Which letter does the alphabet begin with?|It begins with A.
Which letter comes after B?|C comes after B.
Which letter comes after M?|N comes after M.
Which letter comes before F?|E comes before F.
What is the first day of the week?|Many people count Monday as the first day of the week, others Sunday.
Which days are the weekend?|Saturday and Sunday are the weekend.
What is the first month of the year?|January is the first month of the year.
What is the last month of the year?|December is the last month of the year.
What is the shortest month?|February is the shortest month.
What do you call a baby dog?|A baby dog is called a puppy.
What do you call a group of wolves?|A group of wolves is called a pack.
What do you call a group of fish?|A group of fish is called a school.
What do you call a person who flies a plane?|A person who flies a plane is called a pilot.
What do you call a person who bakes bread?|A person who bakes bread is a baker.
What do you call a doctor for animals?|A doctor for animals is called a vet.
What do you call a person who writes books?|A person who writes books is an author.
What does a doctor do?|A doctor helps people who are ill or hurt.
What does a teacher do?|A teacher helps people learn.
What does a firefighter do?|A firefighter puts out fires and rescues people.
What do we use an umbrella for?|An umbrella keeps us dry in the rain.
What do we use a thermometer for?|A thermometer measures temperature.
What do we use scissors for?|We use scissors to cut things.
What do you use to brush your teeth?|A toothbrush and toothpaste.
What organ pumps blood?|The heart pumps blood through the body.
What organ do we think with?|We think with the brain.
What organs do we breathe with?|We breathe with our lungs.
What do we see with?|We see with our eyes.
What do we hear with?|We hear with our ears.
What do we smell with?|We smell with our nose.
What are the five senses?|Sight, hearing, smell, taste and touch.
What is the largest organ of the body?|The skin is the largest organ.
Why is the sky blue?|Air scatters the blue part of sunlight more than the rest, so the sky looks blue.
Why do we have day and night?|Because the Earth turns around itself once a day.
Why do we have seasons?|Because the Earth's axis is tilted as it goes around the Sun.
Why do leaves fall in autumn?|Trees drop their leaves to save water and energy in winter.
Why is the sea salty?|Rivers wash salts from rocks into the sea, and they stay there when the water evaporates.
Why do cats purr?|Cats purr mostly when they are content, and sometimes to calm themselves.
Why does ice float?|Ice is less dense than water, so it floats.
Why do we sleep?|Sleep lets the body and the brain rest and recover.
How does a plane fly?|Its wings push air down as it moves fast, and that lifts the plane.
How do fish breathe?|Fish take oxygen from the water with their gills.
How do bees make honey?|Bees collect nectar from flowers and dry it in the hive until it is honey.
How is a rainbow made?|Sunlight is split into its colours by drops of rain.
How fast does light travel?|Light travels about 300,000 kilometres a second.
How fast does sound travel?|In air, sound travels about 340 metres a second.
What language is spoken in Quebec?|French is spoken in Quebec.
What language is spoken in Hong Kong?|Cantonese and English are spoken in Hong Kong.
What sport is played at Wimbledon?|Tennis is played at Wimbledon.
How often are the Olympic Games held?|The summer games are held every four years.
How long is a marathon?|A marathon is about 42 kilometres, or 26 miles.
How many people are in a quartet?|Four people are in a quartet.
What instrument has black and white keys?|The piano has black and white keys.
What is the main ingredient of an omelette?|Eggs are the main ingredient.
What is sushi?|Sushi is a Japanese dish of rice, usually with fish or vegetables.
What is guacamole made of?|Guacamole is made of avocado, lime, onion and salt.
What fruit is a raisin made from?|Raisins are dried grapes.
Name a fruit that is red.|A strawberry is red.
Name a fruit that is orange.|An orange, or a mandarin.
Name a vegetable that is green.|Broccoli is green.
Name an animal that can fly.|An eagle can fly.
Name an animal that lives in the sea.|A dolphin lives in the sea.
Name three animals.|A dog, a cat and a horse.
Name three vegetables.|Carrots, onions and peas.
Name three colours.|Red, blue and green.
Name three countries in Europe.|France, Italy and Poland.
Name two drinks.|Tea and orange juice.
Name four sports.|Football, tennis, swimming and cycling.
Name two musical instruments.|The piano and the violin.
Name five pieces of furniture.|A table, a chair, a bed, a sofa and a shelf.
"""
