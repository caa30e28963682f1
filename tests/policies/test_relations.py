from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.propositions.antonyms import AXES, GROUP_OF, axis_names, opposition
from memory_server.policies.relations import context_of, parse, relate, topic_keys

C, E, N = "contradiction", "entailment", "neutral"

RELATIONS = [
    (C, "Docker is better than Podman", "Docker is worse than Podman"),
    (E, "Docker is better than Podman", "Podman is worse than Docker"),
    (C, "Docker is better than Podman", "Podman is better than Docker"),
    (C, "Docker is better than Podman", "Docker is not better than Podman"),
    (E, "Podman is better than Docker", "Docker is not better than Podman"),
    (N, "Docker is not better than Podman", "Docker is not worse than Podman"),
    (C, "Rust is faster than Go", "Go is faster than Rust"),
    (C, "Rust is faster than Go", "Rust is slower than Go"),
    (E, "Rust is faster than Go", "Go is slower than Rust"),
    (C, "Rust is as fast as C", "Rust is slower than C"),
    (E, "Rust is faster than C", "Rust is as fast as C"),
    (C, "Rust is not as fast as C", "Rust is faster than C"),
    (E, "Rust is not as fast as C", "Rust is slower than C"),
    (C, "Postgres is more reliable than MySQL", "Postgres is less reliable than MySQL"),
    (C, "Postgres uses more memory than MySQL", "Postgres uses less memory than MySQL"),
    (E, "Postgres uses more memory than MySQL", "MySQL uses less memory than Postgres"),
    (C, "Tom runs faster than Ann", "Ann runs faster than Tom"),
    (E, "Redis outperforms Memcached", "Memcached is worse than Redis"),
    (C, "Redis outperforms Memcached", "Memcached outperforms Redis"),
    (C, "Ann prefers tea to coffee", "Ann prefers coffee over tea"),
    (N, "Rust is faster than Go", "Rust is faster than Python"),
    (N, "Rust is faster than Go", "Rust is harder than Go"),
    (N, "Rust is faster than Go", "Zig is faster than Go"),
    (C, "Pump A is loud", "Pump A is silent"),
    (N, "Pump A is loud", "Pump B is silent"),
    (C, "The service is enabled", "The service is disabled"),
    (E, "The service is not enabled", "The service is disabled"),
    (E, "Pump A is silent", "Pump A is not loud"),
    (N, "Pump A is not silent", "Pump A is not loud"),
    (C, "The door is open", "The door is closed"),
    (C, "The light is on", "The light is off"),
    (C, "Prices go up", "Prices go down"),
    (C, "Caching increases latency", "Caching decreases latency"),
    (C, "Caching reduces latency", "Caching increases latency"),
    (C, "The cache improves performance", "The cache degrades performance"),
    (C, "Ann likes tea", "Ann hates tea"),
    (N, "Ann likes tea", "Ann likes coffee"),
    (N, "Ann likes hot tea", "Ann likes cold tea"),
    (N, "The team uses Redis", "The team uses Kafka"),
    (N, "The team uses small models", "The team uses large models"),
    (C, "The API is synchronous", "The API is asynchronous"),
    (C, "The database has high latency", "The database has low latency"),
    (C, "Redis is a fast database", "Redis is a slow database"),
    (C, "Redis is safe", "Redis is unsafe"),
    (C, "This bug is common", "This bug is uncommon"),
    (C, "Docker is slow", "Docker isn't slow"),
    (C, "Docker doesn't need root", "Docker needs root"),
    (C, "The team uses Redis", "The team no longer uses Redis"),
    (C, "The team uses Redis", "The team never uses Redis"),
    (C, "The app works without internet", "The app works with internet"),
    (E, "It is not true that Docker is not fast", "Docker is fast"),
    (C, "Falcon cannot fly", "Falcon can fly"),
    (C, "Falcon can't fly", "Falcon flies"),
    (E, "Falcon flies", "Falcon can fly"),
    (C, "Kestrel has no cache", "Kestrel has a cache"),
    (E, "Kestrel does not have a cache", "Kestrel has no cache"),
    (E, "Kestrel lacks a cache", "Kestrel has no cache"),
    (C, "Kestrel lacks a cache", "Kestrel has a cache"),
    (C, "The server has 16 GB", "The server has 32 GB"),
    (C, "The server has 16 GB of RAM", "The server has 32 GB of memory"),
    (E, "The server has 1024 MB of RAM", "The server has 1 GB of RAM"),
    (C, "The cluster has at least 3 nodes", "The cluster has 2 nodes"),
    (E, "The cluster has at least 3 nodes", "The cluster has 5 nodes"),
    (C, "The job takes 5 minutes", "The job takes 10 minutes"),
    (E, "The job takes 90 minutes", "The job takes 1.5 hours"),
    (C, "The rate is ten", "The rate is twelve"),
    (C, "The depot opens at six", "The depot opens at seven"),
    (E, "The depot opens at six", "The depot opens at 6"),
    (C, "The limit is more than 100", "The limit is 100"),
    (N, "Item 1 is red", "Item 2 is green"),
    (N, "Common belief number 1", "Common belief number 2"),
    (N, "The server listens on port 80", "The server listens on port 443"),
    (C, "The port is 80", "The port is 443"),
    (N, "The app uses Python 3.11", "The app uses Python 3.12"),
    (C, "The version is 3.1", "The version is 3.2"),
    (C, "Ann lives in Oslo", "Ann lives in Bergen"),
    (C, "ann lives in oslo", "ann lives in bergen"),
    (E, "Ann lives in Oslo", "Ann resides in Oslo"),
    (E, "Ann lives in Oslo, Norway", "Ann lives in Oslo"),
    (C, "The tool is written in Rust", "The tool is written in Go"),
    (C, "Oslo is the capital of Norway", "Bergen is the capital of Norway"),
    (C, "The capital of Norway is Oslo", "Bergen is the capital of Norway"),
    (E, "The capital of Norway is Oslo", "Oslo is the capital of Norway"),
    (C, "Oslo is the capital of Norway", "Oslo is the capital of Sweden"),
    (C, "The gate is green", "The gate is red"),
    (C, "The depot gate is green", "The depot gate is blue"),
    (C, "The status is open", "The status is pending"),
    (C, "The server is running", "The server is stopped"),
    (C, "The deadline is Friday", "The deadline is Monday"),
    (C, "The best editor is Vim", "The best editor is Emacs"),
    (C, "Vim is the best editor", "Emacs is the best editor"),
    (C, "Falcon has IP 10.0.0.1", "The IP of Falcon is 10.0.0.2"),
    (C, "Ann works at Acme", "Ann works at Globex"),
    (C, "Ann is married", "Ann is single"),
    (C, "All pumps are loud", "Some pumps are not loud"),
    (C, "All pumps are loud", "No pumps are loud"),
    (C, "Some pumps are loud", "No pump is loud"),
    (E, "All pumps are loud", "Some pumps are loud"),
    (E, "Pumps are loud", "Some pumps are loud"),
    (N, "Pumps are loud", "Some pumps are not loud"),
    (N, "Some pumps are loud", "Some pumps are silent"),
    (C, "All pumps are loud", "Some pumps are silent"),
    (C, "Ann always drinks coffee", "Ann never drinks coffee"),
    (C, "Ann always drinks coffee", "Ann does not always drink coffee"),
    (C, "Ann never drinks coffee", "Ann sometimes drinks coffee"),
    (C, "Ann often drinks coffee", "Ann rarely drinks coffee"),
    (N, "Ann sometimes drinks coffee", "Ann rarely drinks coffee"),
    (C, "Always use tabs", "Never use tabs"),
    (C, "Use tabs", "Do not use tabs"),
    (C, "Always vendor binaries", "Never vendor binaries"),
    (C, "Always squash merged branches", "Never squash merged branches"),
    (E, "Always squash merged branches", "always squash merged branches!"),
    (N, "Always squash merged branches", "Never squash release branches"),
    (C, "The soup is warm", "The soup is cold"),
    (C, "The soup is hot", "The soup is cool"),
    (N, "The soup is not warm", "The soup is not cold"),
    (C, "We use Bazel instead of Make", "We use Make instead of Bazel"),
    (C, "We use Bazel rather than Make", "We use Make instead of Bazel"),
    (E, "We use Bazel rather than Make", "We use Bazel instead of Make"),
    (C, "You should write tests instead of comments", "You should write comments instead of tests"),
    (N, "You should write tests instead of comments", "You write comments instead of tests"),
    (N, "We use Bazel instead of Make", "We use Ninja instead of Make"),
    (N, "We use Bazel instead of Make", "They use Make instead of Bazel"),
    (N, "We do not use Bazel instead of Make", "We do not use Make instead of Bazel"),
    (N, "We sometimes use Bazel instead of Make", "We sometimes use Make instead of Bazel"),
    (N, "Use tabs", "Use spaces"),
    (E, "Docker is fast and reliable", "Docker is fast"),
    (C, "Docker is fast and reliable", "Docker is not fast"),
    (N, "Docker is not fast and reliable", "Docker is fast"),
    (E, "Redis is a fast in-memory database", "Redis is a database"),
    (N, "Redis is a database", "Redis is not a fast database"),
    (N, "Redis is a database client", "Redis is a database"),
    (N, "Redis is fast", "Redis is popular"),
    (E, "Docker is fast", "Docker is quick"),
    (E, "Docker is very fast", "Docker is fast"),
    (E, "The depot gate is green.", "the depot gate is Green"),
    (N, "The server was down", "The server is up"),
    (N, "Docker is fast", "Podman is slow"),
    (N, "Ann depends on Bob", "Bob depends on Ann"),
    (N, "Falcon moves from Oslo to Bergen", "Falcon moves from Bergen to Oslo"),
    (N, "Ann likes tea that is hot", "Ann likes tea that is cold"),
    (N, "Ann thinks Docker is slow", "Docker is fast"),
    (N, "Docker may be slow", "Docker may not be slow"),
    (N, "Is Docker fast?", "Docker is not fast"),
    (N, "Tides follow the moon", "Tides follow the sun"),
    (C, "Tides follow the moon", "Tides do not follow the moon"),
    (N, "Ash trees are tall", "Ash trees bend in storms"),
    (N, "Old things last", "New things fade"),
    (N, "Ann visited Oslo", "Ann visited Bergen"),
    (N, "Ann bought 2 books", "Ann bought 3 books"),
    (N, "The backup runs on Monday", "The backup runs on Tuesday"),
    (N, "Docker is popular in Europe", "Docker is unpopular in Asia"),
    (N, "The price is high", "The price is fair"),
    (N, "Ann speaks Norwegian", "Ann speaks German"),
    (N, "Ann has a red car", "Ann has a blue car"),
    (N, "Ann has a brother", "Ann has a sister"),
    (N, "If it rains, the pump is loud", "The pump is silent"),
    (N, "Python is a language", "Python is a snake"),
    (N, "The first door is open", "The second door is closed"),
    (N, "Git tracks files", "Git tracks changes"),
    (N, "The system should be fast", "The system is slow"),
    (N, "Every service needs an owner", "Every service needs a runbook"),
    (N, "The user prefers dark roast coffee", "The user prefers long walks"),
    (C, "The user prefers dark mode", "The user prefers light mode"),
    (C, "Tests must pass before merge", "Tests must not pass before merge"),
    (E, "Nobody likes Mondays", "No person likes Mondays"),
    (N, "Ann is in marketing", "Ann is in Oslo"),
    (C, "The server is in Oslo", "The server is in Frankfurt"),
    (C, "Berlin was founded in 1237", "Berlin was founded in 1300"),
    (N, "Sales grew in 2019", "Sales grew in 2020"),
    (C, "Deploys are risky", "Deploys are safe"),
    (C, "Deployments succeed on Fridays", "Deployments fail on Fridays"),
    (C, "Unit tests are slow", "Unit tests are fast"),
    (N, "Unit tests are slow", "Integration tests are fast"),
    (C, "The API accepts JSON", "The API rejects JSON"),
    (N, "The API accepts JSON", "The API rejects XML"),
    (N, "The left door is open", "The right door is open"),
    (N, "Ann trusts Bob", "Bob distrusts Ann"),
    (C, "Ann trusts Bob", "Ann distrusts Bob"),
    (C, "The feature is available to all users", "The feature is unavailable to all users"),
    (E, "Falcon is located in Oslo", "Falcon is situated in Oslo"),
    (C, "Ann is older than Bob", "Ann is younger than Bob"),
    (C, "Ann is taller than Bob", "Bob is taller than Ann"),
    (C, "Tea is cheaper than coffee", "Tea is more expensive than coffee"),
    (C, "Learning Rust is easy", "Learning Rust is hard"),
    (C, "The earth is flat", "The earth is not flat"),
    (C, "Plan A is better than plan B", "Plan A is worse than plan B"),
    (N, "Pump A is loud", "The pump is silent"),
    (C, "Ann is vegetarian", "Ann isn't vegetarian"),
    (C, "Kubernetes is easier to operate than Nomad", "Nomad is easier to operate than Kubernetes"),
    (C, "Kubernetes is easier to operate than Nomad", "Kubernetes is harder to operate than Nomad"),
    (C, "GraphQL is more flexible than REST", "GraphQL is less flexible than REST"),
    (E, "GraphQL is more flexible than REST", "REST is less flexible than GraphQL"),
    (C, "The new parser is twice as fast as the old parser", "The new parser is slower than the old parser"),
    (C, "Tea has less caffeine than coffee", "Tea has more caffeine than coffee"),
    (E, "Tea has less caffeine than coffee", "Coffee has more caffeine than tea"),
    (C, "SQLite handles concurrency better than MySQL", "SQLite handles concurrency worse than MySQL"),
    (C, "Ann earns more than Bob", "Bob earns more than Ann"),
    (C, "Ann earns more than Bob", "Ann earns less than Bob"),
    (N, "Ann earns more than Bob", "Ann earns more than Carl"),
    (C, "Monoliths are simpler than microservices", "Microservices are simpler than monoliths"),
    (C, "The meeting starts at 9:00", "The meeting starts at 10:00"),
    (E, "The meeting starts at 9:00", "The meeting starts at 9 am"),
    (C, "The trial lasts 14 days", "The trial lasts 30 days"),
    (E, "The trial lasts 14 days", "The trial lasts two weeks"),
    (C, "The disk is 500 GB", "The disk is 1 TB"),
    (C, "The password expires after 90 days", "The password expires after 30 days"),
    (C, "The timeout is 30 seconds", "The timeout is 1 minute"),
    (E, "The timeout is 60 seconds", "The timeout is 1 minute"),
    (C, "The team consists of five people", "The team consists of seven people"),
    (C, "The plan costs $10 per month", "The plan costs $20 per month"),
    (C, "Coverage is above 80%", "Coverage is 75%"),
    (E, "Coverage is above 80%", "Coverage is at least 75%"),
    (C, "Coverage is above 80%", "Coverage is below 50%"),
    (C, "Anna's favourite colour is blue", "Anna's favourite colour is green"),
    (C, "Anna is 30 years old", "Anna is 31 years old"),
    (C, "Anna was born in 1990", "Anna was born in 1991"),
    (C, "Bob is employed by Acme", "Bob is employed by Globex"),
    (C, "The project uses the MIT license", "The project does not use the MIT license"),
    (C, "The license of the project is MIT", "The license of the project is Apache-2.0"),
    (C, "The default branch is main", "The default branch is master"),
    (C, "The project is licensed under MIT", "The project is licensed under GPL"),
    (C, "The API is hosted on AWS", "The API isn't hosted on AWS"),
    (N, "The API is hosted on AWS", "The frontend is hosted on Vercel"),
    (C, "Bob manages the billing team", "Bob doesn't manage the billing team"),
    (C, "Alice reports to Bob", "Alice reports to Carol"),
    (C, "The owner of the repo is Alice", "The owner of the repo is Bob"),
    (C, "Staging is down", "Staging is up"),
    (C, "The tests pass", "The tests fail"),
    (C, "The build passes", "The build does not pass"),
    (C, "The cache is hot", "The cache is cold"),
    (C, "Global variables are harmful", "Global variables are harmless"),
    (C, "Feature flags are useful", "Feature flags are useless"),
    (C, "Remote work increases productivity", "Remote work reduces productivity"),
    (C, "Remote work improves morale", "Remote work worsens morale"),
    (C, "Coffee is good for health", "Coffee is bad for health"),
    (C, "Vaccines are effective", "Vaccines are ineffective"),
    (C, "The config is valid", "The config is invalid"),
    (C, "Users love the new design", "Users hate the new design"),
    (C, "Bob agrees with Alice", "Bob disagrees with Alice"),
    (C, "The service requires authentication", "The service doesn't require authentication"),
    (E, "The service requires authentication", "The service needs authentication"),
    (C, "The endpoint is public", "The endpoint is private"),
    (C, "No users have access", "All users have access"),
    (C, "Every commit is signed", "Some commits are not signed"),
    (C, "Every commit is signed", "Not every commit is signed"),
    (E, "Every commit is signed", "Most commits are signed"),
    (N, "Most commits are signed", "Some commits are not signed"),
    (C, "We never deploy on Fridays", "We sometimes deploy on Fridays"),
    (C, "We always deploy on Fridays", "We never deploy on Fridays"),
    (C, "Never commit secrets", "Commit secrets"),
    (C, "You should use tabs", "You should not use tabs"),
    (C, "Prefer composition over inheritance", "Prefer inheritance over composition"),
    (C, "The user wants dark mode enabled", "The user wants dark mode disabled"),
    (C, "The window is left open", "The window is left closed"),
    (C, "The earth is round", "The earth is not round"),
    (C, "Bob can drive", "Bob cannot drive"),
    (C, "Bob is able to drive", "Bob is unable to drive"),
    (C, "It's impossible to undo a migration", "It's possible to undo a migration"),
    (C, "Python is dynamically typed", "Python is statically typed"),
    (C, "Rust is memory safe", "Rust is memory unsafe"),
    (C, "Alice is taller than Bob", "Alice is shorter than Bob"),
    (C, "Redis stores data in memory", "Redis does not store data in memory"),
    (C, "Falcon no longer runs on Linux", "Falcon runs on Linux"),
    (C, "The door isn't locked", "The door is locked"),
    (C, "The door is unlocked", "The door is locked"),
    (E, "The door isn't locked", "The door is unlocked"),
    (E, "Alice lives in Paris, France", "Alice lives in Paris"),
    (E, "Bob owns a big red car", "Bob owns a car"),
    (E, "The server is fast and cheap", "The server is cheap"),
    (E, "Postgres is a powerful relational database", "Postgres is a relational database"),
    (N, "Bob owns a car", "Bob owns a bike"),
    (N, "Bob likes dogs", "Bob likes cats"),
    (N, "The team uses Slack for chat", "The team uses Jira for tickets"),
    (N, "Redis is a cache", "Redis is a database"),
    (N, "Alice speaks French", "Alice speaks Spanish"),
    (N, "Docker is easy to use", "Docker is hard to debug"),
    (N, "Alice is a doctor", "Alice is a mother"),
    (N, "The red door is open", "The blue door is closed"),
    (N, "Bob knows Alice", "Alice knows Bob"),
    (N, "The API supports JSON", "The API supports XML"),
    (N, "Alice went to Paris", "Alice went to Rome"),
    (N, "Bob ate two apples", "Bob ate three pears"),
    (N, "The app is slow when offline", "The app is fast when online"),
    (N, "Python 2 is old", "Python 3 is new"),
    (N, "Server 1 is up", "Server 2 is down"),
    (N, "Version 1 is stable", "Version 2 is unstable"),
    (N, "Alice has a cat", "Alice has a dog"),
    (N, "Bob is happy", "Bob is tired"),
    (N, "Alice wrote a book in 2019", "Alice wrote a book in 2021"),
    (N, "The company has offices in Oslo", "The company has offices in Bergen"),
    (N, "Alice likes coffee in the morning", "Alice likes tea in the evening"),
    (N, "The first build failed", "The second build passed"),
    (N, "Bob's dog is black", "Bob's cat is white"),
    (N, "Alice believes Bob is honest", "Bob is dishonest"),
    (N, "Cats are smaller than dogs", "Horses are bigger than dogs"),
    (N, "The library is fast", "The library is well documented"),
    (N, "Some users like it", "Some users dislike it"),
    (N, "Alice may join", "Alice may not join"),
    (N, "Use Postgres for analytics", "Use Redis for caching"),
    (N, "The logo is blue", "The button is red"),
    (N, "Bob works at night", "Bob works at Acme"),
    (N, "The team meets on Monday", "The team meets on Thursday"),
    (N, "Alice is in Oslo", "Alice is in trouble"),
    (N, "The price of gold rose", "The price of oil fell"),
    (N, "Bob is taller than Alice", "Alice is older than Bob"),
    (N, "Tests are written in Python", "The app is written in Go"),
    (N, "The service listens on port 8080", "The service listens on localhost"),
    (E, "The CEO of Acme is Ann", "Ann is the CEO of Acme"),
    (C, "The CEO of Acme is Ann", "Bob is the CEO of Acme"),
    (C, "The user prefers concise answers", "The user prefers verbose answers"),
    (C, "The user likes concise answers", "The user does not like concise answers"),
    (C, "User's timezone is UTC", "User's timezone is CET"),
    (C, "My name is Ann", "My name is Bob"),
    (C, "I live in Oslo", "I live in Bergen"),
    (C, "I'm vegetarian", "I'm not vegetarian"),
    (C, "I am allergic to nuts", "I am not allergic to nuts"),
    (C, "He doesn't smoke", "He smokes"),
    (C, "We dont use Redis", "We use Redis"),
    (C, "There is a backup", "There is no backup"),
    (C, "There are two replicas", "There are three replicas"),
    (C, "There is nothing in the queue", "There is something in the queue"),
    (C, "The queue contains no messages", "The queue contains messages"),
    (C, "Nobody uses the old API", "Everybody uses the old API"),
    (C, "Nobody uses the old API", "Somebody uses the old API"),
    (C, "None of the tests pass", "All of the tests pass"),
    (C, "All the tests are green", "None of the tests are green"),
    (C, "Microservices hardly ever pay off", "Microservices usually pay off"),
    (C, "Latency is rising", "Latency is falling"),
    (C, "Latency rose", "Latency fell"),
    (C, "Sales went up", "Sales went down"),
    (C, "The number of users is growing", "The number of users is shrinking"),
    (C, "The device is turned on", "The device is turned off"),
    (C, "Turn the heating on", "Turn the heating off"),
    (C, "The lights are on", "The lights are off"),
    (C, "Alcohol is allowed", "Alcohol is forbidden"),
    (C, "Smoking is permitted", "Smoking is prohibited"),
    (C, "The task is complete", "The task is incomplete"),
    (C, "The claim is true", "The claim is false"),
    (C, "The patient is alive", "The patient is dead"),
    (C, "The battery is full", "The battery is empty"),
    (C, "The glass is half full", "The glass is not half full"),
    (C, "Alice is married to Bob", "Alice is married to Carl"),
    (C, "Alice is married", "Alice is unmarried"),
    (C, "The flight departs at 18:30", "The flight departs at 19:30"),
    (C, "The shop closes at 8 pm", "The shop closes at 9 pm"),
    (C, "Water boils at 100 degrees", "Water boils at 90 degrees"),
    (C, "The population of Oslo is 700,000", "The population of Oslo is 500,000"),
    (C, "The app is written in TypeScript", "The app is written in Python"),
    (C, "The function returns a string", "The function does not return a string"),
    (C, "The system is up 99.9% of the time", "The system is down 99.9% of the time"),
    (C, "The server has less than 8 GB of RAM", "The server has 16 GB of RAM"),
    (E, "The server has 16 GB of RAM", "The server has more than 8 GB of RAM"),
    (C, "The limit is 10 MB", "The limit is 10 GB"),
    (C, "The model has 7 billion parameters", "The model has 13 billion parameters"),
    (E, "The model has 7 billion parameters", "The model has 7,000 million parameters"),
    (C, "Alice never misses a deadline", "Alice sometimes misses a deadline"),
    (C, "Emacs is worse than Vim", "Emacs is better than Vim"),
    (C, "Emacs is better than Vim", "Vim is superior to Emacs"),
    (E, "Emacs is inferior to Vim", "Vim is better than Emacs"),
    (C, "Alice likes tea more than coffee", "Alice likes coffee more than tea"),
    (C, "Python is more popular than Perl", "Perl is more popular than Python"),
    (C, "Linux is more secure than Windows", "Windows is more secure than Linux"),
    (E, "Linux is more secure than Windows", "Windows is less secure than Linux"),
    (C, "Linux is more secure than Windows", "Linux is not more secure than Windows"),
    (C, "Bob is the oldest employee", "Alice is the oldest employee"),
    (C, "The meeting is on Monday", "The meeting is on Tuesday"),
    (C, "The office is in Berlin", "The office is in Munich"),
    (C, "Redis is single-threaded", "Redis is not single-threaded"),
    (C, "Redis is single-threaded", "Redis is multi-threaded"),
    (C, "It is safe to delete the cache", "It is not safe to delete the cache"),
    (C, "Deleting the cache is safe", "Deleting the cache is dangerous"),
    (E, "Bob is not unhappy", "Bob is happy"),
    (E, "All servers run Linux", "Some servers run Linux"),
    (E, "The gate is dark green", "The gate is green"),
    (E, "Docker is definitely fast", "Docker is fast"),
    (E, "Alice bought a new car", "Alice purchased a new car"),
    (E, "The file is big", "The file is large"),
    (E, "Bob starts work at 9", "Bob begins work at 9"),
    (N, "Alice is an engineer at Acme", "Alice is a painter"),
    (N, "The CEO of Acme is Ann", "The CTO of Acme is Bob"),
    (N, "Alice works at Acme", "Bob works at Globex"),
    (N, "The user prefers concise answers", "The user prefers tabs"),
    (N, "There is a backup", "There is a restore script"),
    (N, "The flight to Oslo departs at 18:30", "The flight to Bergen departs at 19:30"),
    (N, "Bob lives with Alice", "Bob lives in Oslo"),
    (N, "The backup takes 5 minutes", "The restore takes 10 minutes"),
    (N, "Alice has two sons", "Alice has three daughters"),
    (N, "Redis is written in C", "Redis is used in Norway"),
    (N, "The sky is blue", "The sky is beautiful"),
    (N, "Bob was born in Oslo", "Bob was born in 1990"),
    (N, "Alice works at Acme", "Alice works in Oslo"),
    (N, "Docker 20 is slow", "Docker 25 is fast"),
    (N, "Old versions are insecure", "New versions are secure"),
    (N, "The old office is closed", "The new office is open"),
    (N, "A cold beer is good", "A warm beer is bad"),
    (N, "Alice gave Bob a book", "Bob gave Alice a book"),
    (N, "Ann teaches Bob", "Bob teaches Ann"),
    (N, "We deploy on Monday", "We test on Tuesday"),
    (N, "Team A won the game", "Team B lost the game"),
    (N, "Falcon is at 10.0.0.1", "Falcon is online"),
    (N, "The API returns 200 on success", "The API returns 500 on failure"),
    (N, "The API returns 200", "The API returns JSON"),
    (N, "The left column is wide", "The right column is narrow"),
    (N, "Ann is stronger in maths than Bob", "Ann is weaker in art than Bob"),
    (N, "Kids like sweet food", "Adults like salty food"),
    (N, "Everyone has a mother", "Everyone has a father"),
    (N, "The report is due on Monday", "The invoice is due on Tuesday"),
    (N, "Alice thinks that the plan is good", "Alice thinks that the plan is bold"),
    (N, "Bob said the server is up", "Bob said the server is slow"),
    (N, "No news is good news", "Good news is rare"),
    (N, "Alice can swim", "Alice can't dance"),
    (N, "Rust has no garbage collector", "Rust has a borrow checker"),
    (N, "Only admins can delete users", "Admins can't delete logs"),
    (N, "The service restarts every 5 minutes", "The service restarts after a crash"),
    (N, "Most birds fly", "Penguins do not fly"),
    (N, "Ann ordered the red dress", "Ann ordered the blue dress"),
    (N, "Ann's first child was born in 2019", "Ann's second child was born in 2021"),
    (N, "Python is interpreted", "C is compiled"),
    (N, "The meeting on Monday is short", "The meeting on Tuesday is long"),
]


@pytest.mark.parametrize(("kind", "a", "b"), RELATIONS)
def test_two_propositions_stand_to_each_other(kind: str, a: str, b: str) -> None:
    assert relate(a, b).kind == kind
    assert relate(b, a).kind == kind


@pytest.mark.parametrize(
    ("a", "b", "direction"),
    [
        ("Docker is better than Podman", "Podman is worse than Docker", "both"),
        ("Rust is faster than C", "Rust is as fast as C", "a_to_b"),
        ("All pumps are loud", "Some pumps are loud", "a_to_b"),
        ("Docker is fast", "Docker is fast and reliable", "b_to_a"),
        ("Docker is not fast", "Docker is not fast and reliable", "a_to_b"),
        ("The cluster has at least 3 nodes", "The cluster has 5 nodes", "b_to_a"),
        ("Pump A is silent", "Pump A is not loud", "a_to_b"),
        ("The service is disabled", "The service is not enabled", "both"),
        ("Falcon can fly", "Falcon flies", "b_to_a"),
        ("Docker is fast", "Podman is fast", "none"),
    ],
)
def test_an_entailment_has_a_direction(a: str, b: str, direction: str) -> None:
    assert relate(a, b).direction == direction


@pytest.mark.parametrize(
    ("a", "b", "method"),
    [
        ("Docker is fast", "docker is fast.", "identical"),
        ("Docker is fast", "Docker is not fast", "negation"),
        ("Docker is fast", "Docker is slow", "antonym"),
        ("Docker is faster than LXC", "LXC is faster than Docker", "comparative"),
        ("The job takes 5 minutes", "The job takes 10 minutes", "number"),
        ("Ann lives in Oslo", "Ann lives in Bergen", "exclusive_value"),
        ("All pumps are loud", "No pumps are loud", "quantifier"),
        ("Docker is fast and reliable", "Docker is fast", "modifier"),
        ("Docker is fast", "Docker is quick", "synonym"),
        ("Docker is fast", "Podman is slow", "none"),
    ],
)
def test_the_method_names_what_decided(a: str, b: str, method: str) -> None:
    assert relate(a, b).method == method


@pytest.mark.parametrize(
    ("proposition", "contexts"),
    [
        ("Docker is slow in production", {"in production"}),
        ("In production, Docker is slow", {"in production"}),
        ("Docker is fast on Linux", {"on linux"}),
        ("Docker on Linux is fast", {"on linux"}),
        ("Microservices are bad for small teams", {"for small teams"}),
        ("Docker was new in 2020", {"in 2020"}),
        ("Docker is slow under load in staging", {"under load", "in staging"}),
        ("Sales grew in 2019", {"in 2019"}),
        ("Berlin was founded in 1237", set()),
        ("Ann lives in Oslo", set()),
        ("Falcon runs on Linux", set()),
        ("Docker is fast", set()),
    ],
)
def test_circumstances_are_read_from_a_proposition(proposition: str, contexts: set[str]) -> None:
    assert context_of(proposition) == contexts


CONTEXT_PAIRS = [
    ("Docker is fast in production", "Docker is slow in staging"),
    ("Docker is fast on Linux", "Docker is slow on Windows"),
    ("Microservices are good for large teams", "Microservices are bad for small teams"),
    ("The queue is long in 2019", "The queue is short in 2020"),
]


@pytest.mark.parametrize(("a", "b"), CONTEXT_PAIRS)
def test_different_circumstances_make_a_contradiction_doubtful(a: str, b: str) -> None:
    found = relate(a, b)
    assert (found.kind, found.same_context) == (C, False)
    assert found.confidence <= 0.5


@pytest.mark.parametrize(("a", "b"), CONTEXT_PAIRS)
def test_different_circumstances_are_neutral_when_strict(a: str, b: str) -> None:
    found = relate(a, b, strict_same_context=True)
    assert (found.kind, found.same_context) == (N, False)


def test_the_same_circumstances_keep_a_contradiction() -> None:
    found = relate("Docker is fast in production", "Docker is slow in production", strict_same_context=True)
    assert (found.kind, found.same_context) == (C, True)


def test_circumstances_can_be_given_beside_the_propositions() -> None:
    pair = "Docker is fast", "Docker is slow"
    apart = relate(*pair, context_a="in production", context_b="on a laptop")
    assert (apart.kind, apart.same_context) == (C, False)
    strict = relate(*pair, context_a="release 1", context_b="release 2", strict_same_context=True)
    assert (strict.kind, strict.same_context) == (N, False)
    same = relate(*pair, context_a="in production", context_b="In production", strict_same_context=True)
    assert (same.kind, same.same_context) == (C, True)
    one_sided = relate(*pair, context_a="in production", strict_same_context=True)
    assert (one_sided.kind, one_sided.same_context) == (C, True)


def test_nothing_follows_from_one_circumstance_to_another() -> None:
    assert relate("Docker is fast on Linux", "Docker is fast on Windows").kind == N


def test_a_hedge_lowers_the_confidence() -> None:
    sure = relate("Docker is fast", "Docker is slow")
    unsure = relate("I think Docker is fast", "Docker is slow")
    assert unsure.kind == sure.kind == C
    assert unsure.confidence < sure.confidence


def test_overlap_is_the_share_of_common_content_words() -> None:
    assert relate("Docker is fast", "Docker is fast").overlap == 1.0
    assert relate("Docker is fast", "Docker is slow").overlap == pytest.approx(1 / 3, abs=1e-3)
    assert relate("Docker is fast", "Tea is green").overlap == 0.0


@pytest.mark.parametrize(("kind", "a", "b"), [row for row in RELATIONS if row[0] != N])
def test_what_is_related_shares_a_key(kind: str, a: str, b: str) -> None:
    assert topic_keys(a) & topic_keys(b)


def test_keys_are_few_and_short() -> None:
    keys = topic_keys(
        "The very long named deployment " * 60 + "is slow and old and big and loud in many ways"
    )
    assert all(len(key) <= 80 for key in keys)
    assert len(keys) <= 64


OPPOSITES = sorted(
    (a, b)
    for a, b in itertools.combinations(sorted(AXES), 2)
    if opposition(a, b) in ("complementary", "contrary")
)
SUBJECTS = ["Pump A", "The old service", "C++", "数据库", "user", "Ann's car", "the build of the kiosk"]


@pytest.mark.parametrize(("a", "b"), OPPOSITES)
def test_opposites_share_a_name(a: str, b: str) -> None:
    assert set(axis_names(a)) & set(axis_names(b))


WORDS = st.sampled_from(
    [
        *sorted(AXES),
        *sorted(GROUP_OF),
        "popular",
        "tea",
        "database",
        "Oslo",
        "16 GB",
        "1 GB",
        "1024 MB",
        "3",
        "at least 3",
    ]
)
VERBS = st.sampled_from(
    "is|is not|isn't|was|has|has no|lives in|lacks|uses|does not use|likes|increases|is written in|can be|may be"
    "|is better than|is worse than|is as good as|never has|is always|works without|costs|beats".split("|")
)
QUANTIFIERS = st.sampled_from(
    ["", "All ", "No ", "Some ", "Not all ", "I think ", "In production, ", "If idle, "]
)
PROPOSITIONS = st.builds(
    lambda quantifier, subject, verb, word, tail: f"{quantifier}{subject} {verb} {word}{tail}",
    QUANTIFIERS,
    st.sampled_from(SUBJECTS),
    VERBS,
    WORDS,
    st.sampled_from(
        ["", " database", " and fast", " on Linux", " in 2020", " that is cold", " because it is old"]
    ),
)


@given(PROPOSITIONS, PROPOSITIONS)
def test_relating_is_symmetrical_and_what_is_related_meets_under_a_key(a: str, b: str) -> None:
    found, mirrored = relate(a, b), relate(b, a)
    assert found.kind == mirrored.kind
    assert found.confidence == mirrored.confidence
    assert 0.0 <= found.confidence <= 1.0
    if found.kind != N:
        assert topic_keys(a) & topic_keys(b)


@given(PROPOSITIONS)
def test_a_proposition_never_contradicts_itself(a: str) -> None:
    assert relate(a, a).kind == E


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_related(a: str, b: str) -> None:
    assert relate(a, a).kind == E
    assert relate(a, b).kind == relate(b, a).kind


@given(
    st.lists(
        st.sampled_from("a the not no is than as more , of and in 3 GB never all if better that".split()),
        max_size=40,
    )
)
def test_any_heap_of_function_words_can_be_read(listed: list[str]) -> None:
    parse(" ".join(listed))


def test_a_long_text_is_read_in_linear_time() -> None:
    for word in ("is not ", "a, ", "than as ", "at least ", "in 2020 ", "(" * 50 + " "):
        parse(word * (200_000 // len(word)))
